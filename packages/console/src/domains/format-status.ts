import { defineMessages } from '../messages/locale.ts';

/** Translations of status values and reasons that the API returns. */
interface StatusMessages {
  readonly statuses: Readonly<Record<string, string>>;
  /** Patterns of reasons and advice. Unknown texts are shown unchanged. */
  readonly reasons: readonly (readonly [RegExp, string])[];
}

const statusMessages = defineMessages<StatusMessages>(
  {
    statuses: {
      Live: 'Active',
      Unpaid: 'Unpaid',
      Pending: 'Pending',
      Expired: 'Expired',
      Suspended: 'Suspended',
      Cancelled: 'Cancelled',
      Deleted: 'Deleted',
      Moved: 'Moved',
      'Pending Delete Restorable': 'Redemption period',
      'Pending Transfer': 'Pending transfer',
      'Transfer In': 'Transfer in pending',
      'Transfer Out': 'Transfer out requested',
      'Pending Restore': 'Pending restore',
      'Pending Delete': 'Pending delete',
      'Transferred Away': 'Transferred out',
    },
    reasons: [
      [/^no other registrar requests it$/, 'no transfer was requested'],
      [/^it is not deleted$/, 'the domain is not deleted'],
      [/^ask (the registry|the operator)/, 'contact $1'],
      [/^renew the domain$/, 'renew the domain'],
      [/^its nameserver (.+) is used by/, 'nameserver $1 is used by'],
    ],
  },
  {
    statuses: {
      Live: 'Aktif',
      Unpaid: 'Belum dibayar',
      Pending: 'Menunggu',
      Expired: 'Kedaluwarsa',
      'Pending Delete Restorable': 'Masa penebusan',
      'Pending Transfer': 'Menunggu transfer',
      'Transfer In': 'Menunggu transfer masuk',
      'Transfer Out': 'Transfer keluar diminta',
      'Pending Restore': 'Menunggu pemulihan',
      'Pending Delete': 'Menunggu penghapusan',
      Suspended: 'Ditangguhkan',
      Cancelled: 'Dibatalkan',
      Deleted: 'Dihapus',
      'Transferred Away': 'Ditransfer keluar',
      Moved: 'Dipindahkan',
    },
    reasons: [
      [/^locked/, 'terkunci'],
      [/^suspended/, 'ditangguhkan'],
      [/^theft_protection$/, 'perlindungan pencurian'],
      [/^unpaid$/, 'belum dibayar'],
      [/^already locked$/, 'sudah terkunci'],
      [/^already unlocked.*$/, 'tidak terkunci'],
      [/^(?:no other registrar requests it|no transfer was requested.*)$/, 'tidak ada permintaan transfer'],
      [/^(?:it|the domain) is not deleted$/, 'belum dihapus'],
      [/^lock after its registration$/, 'kunci setelah pendaftaran'],
      [/^lock after its transfer .*$/, 'kunci setelah transfer ke sini'],
      [/^lock after the change .*$/, 'kunci setelah pergantian pemilik domain'],
      [/^state pending_transfer$/, 'sedang ditransfer'],
      [/^state redemption$/, 'dalam masa penebusan'],
      [/^state /, 'status: '],
      [/^operation (\S+) .*$/, 'operasi $1 sedang berjalan'],
      [/^its nameserver (.+) is used by .*$/, 'nameserver $1 masih dipakai domain lain'],
      [/^renew the (?:name|domain)$/, 'perpanjang domain ini'],
      [/^(?:ask|contact) the registry$/, 'hubungi registri'],
      [/^(?:ask|contact) the operator.*$/, 'hubungi operator'],
      [/^wait for the order to end$/, 'tunggu pesanan selesai'],
      [/^wait for the restore$/, 'tunggu pemulihan selesai'],
      [/^approve or reject the transfer.*$/, 'setujui atau tolak transfer, atau tunggu sampai selesai'],
      [/^pay, execute or cancel the order$/, 'bayar, jalankan, atau batalkan pesanan'],
    ],
  },
);

export const statusText = (status: string): string => statusMessages().statuses[status] ?? status;

export function reasonText(reason: string): string {
  const found = statusMessages().reasons.find(([pattern]) => pattern.test(reason));
  return (found ? reason.replace(found[0], found[1]) : reason).replaceAll('_', ' ');
}
