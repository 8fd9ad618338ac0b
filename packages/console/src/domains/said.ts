import { inBoth } from '../words/speak.ts';

/** What the service says of a name in the words that panels and programs read; here as people read it. */
interface Said {
  readonly statuses: Readonly<Record<string, string>>;
  /** Reasons and advice, by how they begin; what is not among them stays as it was said. */
  readonly reasons: readonly (readonly [RegExp, string])[];
}

const said = inBoth<Said>(
  {
    statuses: {
      Live: 'Active',
      'Pending Delete Restorable': 'Redemption period',
      'Pending Transfer': 'Pending transfer',
      'Pending Restore': 'Pending restore',
      'Pending Delete': 'Pending delete',
      'Transferred Away': 'Transferred out',
    },
    reasons: [],
  },
  {
    statuses: {
      Live: 'Aktif',
      Unpaid: 'Belum dibayar',
      Pending: 'Menunggu',
      Expired: 'Kedaluwarsa',
      'Pending Delete Restorable': 'Masa penebusan',
      'Pending Transfer': 'Menunggu transfer',
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
      [/^no other registrar requests it$/, 'tidak ada permintaan transfer'],
      [/^it is not deleted$/, 'belum dihapus'],
      [/^lock after its registration$/, 'kunci setelah pendaftaran'],
      [/^lock after its transfer .*$/, 'kunci setelah transfer ke sini'],
      [/^lock after the change .*$/, 'kunci setelah pergantian pemilik domain'],
      [/^state pending_transfer$/, 'sedang ditransfer'],
      [/^state redemption$/, 'dalam masa penebusan'],
      [/^state /, 'status: '],
      [/^operation (\S+) .*$/, 'operasi $1 sedang berjalan'],
      [/^its nameserver (.+) is used by .*$/, 'nameserver $1 masih dipakai domain lain'],
      [/^renew the domain$/, 'perpanjang domain ini'],
      [/^contact the registry$/, 'hubungi registri'],
      [/^contact the operator.*$/, 'hubungi operator'],
      [/^wait for the order to end$/, 'tunggu pesanan selesai'],
      [/^wait for the restore$/, 'tunggu pemulihan selesai'],
      [/^approve or reject the transfer.*$/, 'setujui atau tolak transfer, atau tunggu sampai selesai'],
      [/^pay, execute or cancel the order$/, 'bayar, jalankan, atau batalkan pesanan'],
    ],
  },
);

export const statusText = (status: string): string => said().statuses[status] ?? status;

export function reasonText(reason: string): string {
  const found = said().reasons.find(([pattern]) => pattern.test(reason));
  return (found ? reason.replace(found[0], found[1]) : reason).replaceAll('_', ' ');
}
