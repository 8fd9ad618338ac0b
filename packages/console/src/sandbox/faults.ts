import { inBoth } from '../words/speak.ts';

const kinds = {
  'drop-after-commit': {
    title: 'Answer lost',
    breaks: 'The registry carries a command out and closes the line before it answers.',
    expect: 'The order says that the outcome is being found out; it ends well, charged once.',
  },
  'drop-before': {
    title: 'Command lost',
    breaks: 'The line closes before the command is carried out.',
    expect: 'The order finds out that nothing happened, sends again, and is charged once.',
  },
  delay: {
    title: 'Late answers',
    breaks: 'Every answer comes five seconds late.',
    expect: 'Orders are under way for longer; nothing else changes.',
  },
  cut: {
    title: 'Cut off',
    breaks: 'An answer ends in the middle.',
    expect: 'Half an answer counts as none: the outcome is asked for.',
  },
  '2400': {
    title: 'Command failed (2400)',
    breaks: 'The registry says that it failed, whether it did or not.',
    expect: 'The word is not believed: the registry is asked what it has.',
  },
  '2500': {
    title: 'Failed and closing (2500)',
    breaks: 'The same, and the session ends.',
    expect: 'A new session, a question, and the right end.',
  },
  '2502': {
    title: 'Too many sessions (2502)',
    breaks: 'Logins are refused because others are open.',
    expect: 'An alarm for the operator; orders wait and end later.',
  },
  'half-frame': {
    title: 'Broken frame',
    breaks: 'The length of a frame is wrong.',
    expect: 'The session is given up, the outcome is asked for.',
  },
  maintenance: {
    title: 'Maintenance',
    breaks: 'The registry refuses every command for a while.',
    expect: 'Orders wait; availability says that it is not known.',
  },
  'lagging-info': {
    title: 'Old answers',
    breaks: 'Questions are answered as things were five seconds ago.',
    expect: 'A name is not called lost because of it.',
  },
  'poll-lost': {
    title: 'Messages lost',
    breaks: 'Messages of the registry vanish.',
    expect: 'What they would have told is found by comparing.',
  },
  'poll-doubled': {
    title: 'Messages twice',
    breaks: 'Each message comes twice.',
    expect: 'It counts once.',
  },
} as const;
type Told = Record<keyof typeof kinds, { readonly title: string; readonly breaks: string; readonly expect: string }>;
export const faultKinds = Object.keys(kinds) as (keyof typeof kinds)[];

const ragam: Told = {
  'drop-after-commit': {
    title: 'Jawaban hilang',
    breaks: 'Registri menjalankan perintah lalu memutus sambungan sebelum menjawab.',
    expect: 'Pesanan mencari tahu hasilnya; berakhir baik, ditagih sekali.',
  },
  'drop-before': {
    title: 'Perintah hilang',
    breaks: 'Sambungan putus sebelum perintah dijalankan.',
    expect: 'Pesanan tahu tidak ada yang terjadi, mengirim lagi, dan ditagih sekali.',
  },
  delay: {
    title: 'Jawaban terlambat',
    breaks: 'Setiap jawaban datang lima detik terlambat.',
    expect: 'Pesanan berjalan lebih lama; selain itu tetap.',
  },
  cut: {
    title: 'Terpotong',
    breaks: 'Jawaban berhenti di tengah.',
    expect: 'Setengah jawaban berarti tidak ada: hasilnya ditanyakan.',
  },
  '2400': {
    title: 'Perintah gagal (2400)',
    breaks: 'Registri berkata gagal, benar atau tidak.',
    expect: 'Tidak langsung dipercaya: registri ditanya apa yang dimilikinya.',
  },
  '2500': {
    title: 'Gagal dan menutup (2500)',
    breaks: 'Sama, dan sesi berakhir.',
    expect: 'Sesi baru, pertanyaan, dan akhir yang benar.',
  },
  '2502': {
    title: 'Terlalu banyak sesi (2502)',
    breaks: 'Login ditolak karena sesi lain terbuka.',
    expect: 'Alarm bagi operator; pesanan menunggu dan selesai kemudian.',
  },
  'half-frame': {
    title: 'Bingkai rusak',
    breaks: 'Panjang bingkai salah.',
    expect: 'Sesi ditinggalkan, hasilnya ditanyakan.',
  },
  maintenance: {
    title: 'Pemeliharaan',
    breaks: 'Registri menolak semua perintah untuk sementara.',
    expect: 'Pesanan menunggu; ketersediaan dikatakan belum diketahui.',
  },
  'lagging-info': {
    title: 'Jawaban lama',
    breaks: 'Pertanyaan dijawab seperti lima detik yang lalu.',
    expect: 'Nama tidak dianggap hilang karenanya.',
  },
  'poll-lost': {
    title: 'Pesan hilang',
    breaks: 'Pesan dari registri lenyap.',
    expect: 'Isinya ditemukan lewat pembandingan.',
  },
  'poll-doubled': {
    title: 'Pesan ganda',
    breaks: 'Setiap pesan datang dua kali.',
    expect: 'Dihitung sekali.',
  },
};

/** What each fault breaks, and what whoever orders should see. */
export const faultWords = inBoth<Told>(kinds, ragam);
