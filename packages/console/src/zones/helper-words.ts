import { inBoth } from '../words/speak.ts';
import type { HelperKind } from './helper-forms.ts';

interface HelperWords {
  readonly open: string;
  readonly title: string;
  readonly kind: string;
  readonly add: string;
  readonly kinds: Readonly<Record<HelperKind, { readonly title: string; readonly text: string }>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly hints: Readonly<Record<string, string>>;
  readonly choices: Readonly<Record<string, string>>;
  readonly lookUps: (n: number) => string;
  readonly bits: (n: number) => string;
}

export const words = inBoth<HelperWords>(
  {
    open: 'Helper',
    title: 'A record by a form',
    kind: 'What for',
    add: 'Add to the draft',
    kinds: {
      spf: { title: 'SPF: who may send mail', text: 'One record a name; it takes the place of the old one.' },
      dkim: { title: 'DKIM: signed mail', text: 'Paste the key as the provider shows it, quoted or not.' },
      dmarc: {
        title: 'DMARC: what happens to mail that fails',
        text: 'Begin with none, read the reports, then go on.',
      },
      mx: { title: 'MX: where mail goes', text: 'The smallest number is tried first.' },
      srv: { title: 'SRV: where a service runs', text: 'Such as sip, xmpp-client or imaps.' },
      caa: { title: 'CAA: who may issue certificates', text: 'Authorities that are not named refuse.' },
      tlsa: { title: 'TLSA: which certificate is right', text: 'Counts only where the name is signed.' },
      https: {
        title: 'HTTPS: how a page is reached',
        text: 'Browsers learn of HTTP/2 and HTTP/3 before they connect.',
      },
    },
    fields: {
      name: 'Name',
      mx: 'Hosts of the MX records',
      a: 'Address of the name itself',
      includes: 'Also who these allow',
      addresses: 'Addresses and ranges',
      end: 'Everybody else',
      selector: 'Selector',
      key: 'Key',
      policy: 'Policy',
      reports: 'Reports to',
      percent: 'Share of the mail, in percent',
      priority: 'Priority',
      host: 'Host',
      service: 'Service',
      protocol: 'Protocol',
      port: 'Port',
      weight: 'Weight',
      tag: 'What',
      value: 'Authority or address',
      usage: 'Usage',
      matching: 'Matching',
      digest: 'Digest',
      alpn: 'Protocols',
    },
    hints: {
      'spf.includes': 'Such as _spf.example.net, one a line.',
      'dkim.selector': 'The part before ._domainkey.',
      'caa.value': 'Such as letsencrypt.org; for iodef mailto:you@example.com.',
      'https.host': 'A dot: the name itself.',
    },
    choices: {
      'end.-all': 'is refused (-all)',
      'end.~all': 'is suspicious (~all)',
      'end.?all': 'nothing is said (?all)',
      'policy.none': 'none: only report',
      'policy.quarantine': 'quarantine: into spam',
      'policy.reject': 'reject: refuse',
      'tag.issue': 'may issue',
      'tag.issuewild': 'may issue for *',
      'tag.iodef': 'tell of attempts',
    },
    lookUps: (n) => `${n} of 10 look-ups that receivers make, and those of what is included.`,
    bits: (n) => `A key of ${n} bits.`,
  },
  {
    open: 'Bantuan',
    title: 'Record lewat formulir',
    kind: 'Untuk apa',
    add: 'Tambah ke draf',
    kinds: {
      spf: { title: 'SPF: siapa boleh mengirim surel', text: 'Satu record per nama; menggantikan yang lama.' },
      dkim: { title: 'DKIM: surel bertanda tangan', text: 'Tempel kunci seperti ditampilkan penyedia.' },
      dmarc: { title: 'DMARC: nasib surel yang gagal', text: 'Mulai dengan none, baca laporannya, lalu lanjutkan.' },
      mx: { title: 'MX: ke mana surel pergi', text: 'Angka terkecil dicoba dulu.' },
      srv: { title: 'SRV: di mana layanan berjalan', text: 'Misalnya sip, xmpp-client, atau imaps.' },
      caa: { title: 'CAA: siapa boleh menerbitkan sertifikat', text: 'Otoritas yang tidak disebut akan menolak.' },
      tlsa: { title: 'TLSA: sertifikat mana yang benar', text: 'Hanya berlaku bila nama ditandatangani.' },
      https: { title: 'HTTPS: cara halaman dijangkau', text: 'Peramban tahu HTTP/2 dan HTTP/3 sebelum tersambung.' },
    },
    fields: {
      name: 'Nama',
      mx: 'Host dari record MX',
      a: 'Alamat nama itu sendiri',
      includes: 'Juga yang diizinkan oleh',
      addresses: 'Alamat dan rentang',
      end: 'Selain itu',
      selector: 'Selektor',
      key: 'Kunci',
      policy: 'Kebijakan',
      reports: 'Laporan ke',
      percent: 'Bagian surel, dalam persen',
      priority: 'Prioritas',
      host: 'Host',
      service: 'Layanan',
      protocol: 'Protokol',
      port: 'Port',
      weight: 'Bobot',
      tag: 'Apa',
      value: 'Otoritas atau alamat',
      usage: 'Penggunaan',
      matching: 'Pencocokan',
      digest: 'Digest',
      alpn: 'Protokol',
    },
    hints: {
      'spf.includes': 'Misalnya _spf.example.net, satu per baris.',
      'dkim.selector': 'Bagian sebelum ._domainkey.',
      'caa.value': 'Misalnya letsencrypt.org; untuk iodef mailto:anda@example.com.',
      'https.host': 'Titik: nama itu sendiri.',
    },
    choices: {
      'end.-all': 'ditolak (-all)',
      'end.~all': 'dicurigai (~all)',
      'end.?all': 'tidak dinyatakan (?all)',
      'policy.none': 'none: hanya lapor',
      'policy.quarantine': 'quarantine: ke spam',
      'policy.reject': 'reject: tolak',
      'tag.issue': 'boleh menerbitkan',
      'tag.issuewild': 'boleh menerbitkan untuk *',
      'tag.iodef': 'laporkan percobaan',
    },
    lookUps: (n) => `${n} dari 10 pencarian oleh penerima, ditambah milik yang disertakan.`,
    bits: (n) => `Kunci ${n} bit.`,
  },
);
