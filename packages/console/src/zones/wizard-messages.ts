import { defineMessages } from '../messages/locale.ts';
import type { WizardKind } from './wizard-forms.ts';

interface WizardMessages {
  readonly open: string;
  readonly title: string;
  readonly kind: string;
  readonly add: string;
  readonly kinds: Readonly<Record<WizardKind, { readonly title: string; readonly text: string }>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly hints: Readonly<Record<string, string>>;
  readonly choices: Readonly<Record<string, string>>;
  readonly lookups: (n: number) => string;
  readonly bits: (n: number) => string;
}

export const messages = defineMessages<WizardMessages>(
  {
    open: 'Record wizard',
    title: 'Record wizard',
    kind: 'Record',
    add: 'Add to draft',
    kinds: {
      spf: {
        title: 'SPF: allowed senders',
        text: 'Replaces the SPF record of this name, if there is one. Other TXT records stay.',
      },
      dkim: { title: 'DKIM: email signing key', text: 'Paste the key from your provider, with or without quotes.' },
      dmarc: {
        title: 'DMARC: policy for failed checks',
        text: 'Start with “none”, read the reports, then choose a stricter policy.',
      },
      mx: { title: 'MX: mail server', text: 'The lowest priority is tried first.' },
      srv: { title: 'SRV: service location', text: 'For example sip, xmpp-client or imaps.' },
      caa: { title: 'CAA: certificate authorities', text: 'Other certificate authorities must refuse.' },
      tlsa: { title: 'TLSA: certificate pinning', text: 'Works only with DNSSEC.' },
      https: {
        title: 'HTTPS: supported protocols',
        text: 'Announces HTTP/2 and HTTP/3 to browsers before they connect.',
      },
    },
    fields: {
      name: 'Name',
      mx: 'Hosts in the MX records',
      a: 'IP address of the domain itself',
      includes: 'Include other SPF records',
      addresses: 'IP addresses and ranges',
      end: 'All other senders',
      selector: 'Selector',
      key: 'Key',
      policy: 'Policy',
      reports: 'Send reports to',
      percent: 'Percentage of email',
      priority: 'Priority',
      host: 'Host',
      service: 'Service',
      protocol: 'Protocol',
      port: 'Port',
      weight: 'Weight',
      tag: 'Permission',
      value: 'Certificate authority or contact',
      usage: 'Usage',
      matching: 'Matching type',
      digest: 'Digest',
      alpn: 'Protocols',
    },
    hints: {
      'spf.includes': 'For example _spf.example.net. One per line.',
      'dkim.selector': 'The part before ._domainkey.',
      'caa.value': 'For example letsencrypt.org. For reports: mailto:you@example.com.',
      'https.host': 'A dot means the name itself.',
    },
    choices: {
      'end.-all': 'Reject (-all)',
      'end.~all': 'Mark as suspicious (~all)',
      'end.?all': 'Neutral (?all)',
      'policy.none': 'none: report only',
      'policy.quarantine': 'quarantine: move to spam',
      'policy.reject': 'reject: refuse delivery',
      'tag.issue': 'Issue certificates',
      'tag.issuewild': 'Issue wildcard certificates',
      'tag.iodef': 'Report violations',
    },
    lookups: (n) => `${n} of 10 allowed DNS lookups, plus the lookups of included records.`,
    bits: (n) => `Key size: ${n} bits`,
  },
  {
    open: 'Asisten record',
    title: 'Asisten record',
    kind: 'Record',
    add: 'Tambah ke draf',
    kinds: {
      spf: {
        title: 'SPF: pengirim yang diizinkan',
        text: 'Menggantikan record SPF nama ini, jika ada. Record TXT lain tetap.',
      },
      dkim: {
        title: 'DKIM: kunci tanda tangan email',
        text: 'Tempel kunci dari penyedia Anda, dengan atau tanpa tanda kutip.',
      },
      dmarc: {
        title: 'DMARC: kebijakan email yang gagal diperiksa',
        text: 'Mulai dengan “none”, baca laporannya, lalu pilih kebijakan yang lebih ketat.',
      },
      mx: { title: 'MX: server email', text: 'Prioritas terkecil dicoba lebih dulu.' },
      srv: { title: 'SRV: lokasi layanan', text: 'Misalnya sip, xmpp-client, atau imaps.' },
      caa: { title: 'CAA: otoritas sertifikat', text: 'Otoritas sertifikat lain harus menolak.' },
      tlsa: { title: 'TLSA: penyematan sertifikat', text: 'Hanya berfungsi dengan DNSSEC.' },
      https: {
        title: 'HTTPS: protokol yang didukung',
        text: 'Mengumumkan HTTP/2 dan HTTP/3 kepada browser sebelum tersambung.',
      },
    },
    fields: {
      name: 'Nama',
      mx: 'Host di record MX',
      a: 'Alamat IP domain itu sendiri',
      includes: 'Sertakan record SPF lain',
      addresses: 'Alamat IP dan rentang',
      end: 'Pengirim lainnya',
      selector: 'Selektor',
      key: 'Kunci',
      policy: 'Kebijakan',
      reports: 'Kirim laporan ke',
      percent: 'Persentase email',
      priority: 'Prioritas',
      host: 'Host',
      service: 'Layanan',
      protocol: 'Protokol',
      port: 'Port',
      weight: 'Bobot',
      tag: 'Izin',
      value: 'Otoritas sertifikat atau kontak',
      usage: 'Penggunaan',
      matching: 'Jenis pencocokan',
      digest: 'Digest',
      alpn: 'Protokol',
    },
    hints: {
      'spf.includes': 'Misalnya _spf.example.net. Satu per baris.',
      'dkim.selector': 'Bagian sebelum ._domainkey.',
      'caa.value': 'Misalnya letsencrypt.org. Untuk laporan: mailto:anda@example.com.',
      'https.host': 'Titik berarti nama itu sendiri.',
    },
    choices: {
      'end.-all': 'Tolak (-all)',
      'end.~all': 'Tandai mencurigakan (~all)',
      'end.?all': 'Netral (?all)',
      'policy.none': 'none: hanya laporkan',
      'policy.quarantine': 'quarantine: pindahkan ke spam',
      'policy.reject': 'reject: tolak pengiriman',
      'tag.issue': 'Menerbitkan sertifikat',
      'tag.issuewild': 'Menerbitkan sertifikat wildcard',
      'tag.iodef': 'Laporkan pelanggaran',
    },
    lookups: (n) => `${n} dari 10 pencarian DNS yang diizinkan, ditambah pencarian record yang disertakan.`,
    bits: (n) => `Ukuran kunci: ${n} bit`,
  },
);
