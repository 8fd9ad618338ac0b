import { defineMessages } from '../messages/locale.ts';

const kinds = {
  'drop-after-commit': {
    title: 'Lost response',
    breaks: 'The registry executes a command and closes the connection before it responds.',
    expect: 'The order shows that the outcome is being checked. It completes and is charged once.',
  },
  'drop-before': {
    title: 'Lost command',
    breaks: 'The connection closes before the command is executed.',
    expect: 'The service finds that nothing happened, sends the command again, and charges once.',
  },
  delay: {
    title: 'Slow responses',
    breaks: 'Every response is delayed by 5 seconds.',
    expect: 'Orders take longer. Nothing else changes.',
  },
  cut: {
    title: 'Truncated response',
    breaks: 'A response ends in the middle.',
    expect: 'A partial response counts as no response. The service checks the outcome.',
  },
  '2400': {
    title: 'Command failed (2400)',
    breaks: 'The registry reports a failure, whether the command failed or not.',
    expect: 'The service does not rely on the response and checks the registry data.',
  },
  '2500': {
    title: 'Failed and closing (2500)',
    breaks: 'The registry reports a failure and closes the session.',
    expect: 'The service opens a new session, checks the outcome and completes the order correctly.',
  },
  '2502': {
    title: 'Too many sessions (2502)',
    breaks: 'The registry refuses logins because too many sessions are open.',
    expect: 'Your provider gets an alert. Orders wait and complete later.',
  },
  'half-frame': {
    title: 'Invalid message length',
    breaks: 'The length of a registry message is wrong.',
    expect: 'The service closes the session and checks the outcome.',
  },
  maintenance: {
    title: 'Maintenance',
    breaks: 'The registry refuses every command for a while.',
    expect: 'Orders wait. Availability checks return “unknown”.',
  },
  'lagging-info': {
    title: 'Stale data',
    breaks: 'Queries return data that is 5 seconds old.',
    expect: 'The service does not treat a domain as missing because of stale data.',
  },
  'poll-lost': {
    title: 'Lost messages',
    breaks: 'Registry messages are lost.',
    expect: 'The service detects the changes by comparing its data with the registry.',
  },
  'poll-doubled': {
    title: 'Duplicate messages',
    breaks: 'Each message arrives twice.',
    expect: 'Each message is processed once.',
  },
} as const;
type FaultMessages = Record<
  keyof typeof kinds,
  { readonly title: string; readonly breaks: string; readonly expect: string }
>;
export const faultKinds = Object.keys(kinds) as (keyof typeof kinds)[];

const faultsInIndonesian: FaultMessages = {
  'drop-after-commit': {
    title: 'Respons hilang',
    breaks: 'Registri menjalankan perintah lalu memutus koneksi sebelum merespons.',
    expect: 'Pesanan menunjukkan bahwa hasilnya sedang diperiksa. Pesanan selesai dan dibebankan satu kali.',
  },
  'drop-before': {
    title: 'Perintah hilang',
    breaks: 'Koneksi terputus sebelum perintah dijalankan.',
    expect: 'Layanan menemukan bahwa perintah tidak dijalankan, mengirimnya lagi, dan membebankan biaya satu kali.',
  },
  delay: {
    title: 'Respons lambat',
    breaks: 'Setiap respons terlambat 5 detik.',
    expect: 'Pesanan berjalan lebih lama. Tidak ada perubahan lain.',
  },
  cut: {
    title: 'Respons terpotong',
    breaks: 'Respons terputus di tengah.',
    expect: 'Respons sebagian dianggap tidak ada. Layanan memeriksa hasilnya.',
  },
  '2400': {
    title: 'Perintah gagal (2400)',
    breaks: 'Registri melaporkan kegagalan, baik perintah gagal maupun berhasil.',
    expect: 'Layanan tidak mengandalkan respons itu dan memeriksa data registri.',
  },
  '2500': {
    title: 'Gagal dan menutup (2500)',
    breaks: 'Registri melaporkan kegagalan dan menutup sesi.',
    expect: 'Layanan membuka sesi baru, memeriksa hasilnya, dan menyelesaikan pesanan dengan benar.',
  },
  '2502': {
    title: 'Terlalu banyak sesi (2502)',
    breaks: 'Registri menolak login karena terlalu banyak sesi terbuka.',
    expect: 'Penyedia Anda mendapat peringatan. Pesanan menunggu dan selesai kemudian.',
  },
  'half-frame': {
    title: 'Panjang pesan tidak valid',
    breaks: 'Panjang pesan registri salah.',
    expect: 'Layanan menutup sesi dan memeriksa hasilnya.',
  },
  maintenance: {
    title: 'Pemeliharaan',
    breaks: 'Registri menolak semua perintah untuk sementara.',
    expect: 'Pesanan menunggu. Pemeriksaan ketersediaan menghasilkan “tidak diketahui”.',
  },
  'lagging-info': {
    title: 'Data usang',
    breaks: 'Data yang dikembalikan registri terlambat 5 detik.',
    expect: 'Layanan tidak menganggap domain hilang karena data usang.',
  },
  'poll-lost': {
    title: 'Pesan hilang',
    breaks: 'Pesan dari registri hilang.',
    expect: 'Layanan menemukan perubahan dengan mencocokkan datanya dengan registri.',
  },
  'poll-doubled': {
    title: 'Pesan ganda',
    breaks: 'Setiap pesan datang dua kali.',
    expect: 'Setiap pesan diproses satu kali.',
  },
};

/** For each fault: its effect and the expected result for an order. */
export const faultMessages = defineMessages<{ readonly faults: FaultMessages }>(
  { faults: kinds },
  { faults: faultsInIndonesian },
);
