import { defineMessages } from '../messages/locale.ts';

/** Translations of status values and reasons that the API returns. */
interface StatusMessages {
  readonly statuses: Readonly<Record<string, string>>;
  /** Patterns of reasons and advice. Unknown texts are shown unchanged. */
  readonly reasons: readonly (readonly [RegExp, string])[];
  /** Meanings of registry statuses, without `client` or `server`. */
  readonly registryStatuses: Readonly<Record<string, string>>;
}

const statusMessages = defineMessages<StatusMessages>(
  {
    statuses: {
      Live: 'Active',
      Unpaid: 'Unpaid',
      Pending: 'Registration pending',
      Expired: 'Expired',
      Suspended: 'Suspended',
      Cancelled: 'Order cancelled',
      Deleted: 'Deleted',
      Moved: 'Moved to another reseller',
      'Pending Delete Restorable': 'Redemption period',
      'Pending Transfer': 'Transfer in or out pending',
      'Transfer In': 'Transfer in pending',
      'Transfer Out': 'Transfer out requested',
      'Pending Restore': 'Pending restore',
      'Pending Delete': 'Pending delete',
      'Transferred Away': 'Transferred out',
    },
    reasons: [
      [/^locked \((.*)\)$/, 'The domain is locked. Reason: “$1”.'],
      [/^locked$/, 'The domain is locked.'],
      [/^suspended \((.*)\)$/, 'The domain is suspended. Reason: “$1”.'],
      [/^suspended$/, 'The domain is suspended.'],
      [/^theft_protection$/, 'Theft protection is on.'],
      [/^unpaid$/, 'The registry has added a year that is not paid.'],
      [/^lock after its registration$/, 'The transfer lock after registration is active. The timeline shows its end.'],
      [/^lock after its transfer .*$/, 'The transfer lock after a transfer is active. The timeline shows its end.'],
      [
        /^lock after the change .*$/,
        'The transfer lock after a change of registrant is active. The timeline shows its end.',
      ],
      [/^state pending$/, 'The order is not finished.'],
      [/^state redemption$/, 'The domain is deleted and in its redemption period.'],
      [/^state pending_restore$/, 'The restore is not finished.'],
      [/^state pending_delete$/, 'The domain will be deleted soon.'],
      [/^state pending_transfer$/, 'A transfer to another registrar is pending.'],
      [/^state removed$/, 'The domain was deleted or left this account.'],
      [/^state unpaid$/, 'The order is not paid.'],
      [/^operation \S+ .*$/, 'Another operation is in progress.'],
      [/^server\w+$/, 'The registry has set the status $&.'],
      [/^client\w+$/, 'The status $& is set at the registry.'],
      [/^its nameserver (.+) is used by (.+)$/, 'The nameserver $1 is used by $2.'],
      [/^renew the domain$/, 'Renew the domain.'],
      [/^contact the registry$/, 'Contact the registry.'],
      [/^contact the operator.*$/, 'Contact your provider.'],
      [/^wait for it.*$/, 'Wait until it is finished.'],
      [/^wait for the order to end$/, 'Wait until it is finished.'],
      [/^wait for the restore$/, 'Wait until it is finished.'],
      [/^approve or reject the transfer.*$/, 'Approve or reject the transfer, or wait until it ends.'],
      [
        /^pay, execute or cancel the order$/,
        'Use the API to mark the order as paid, run it without payment or cancel it.',
      ],
      [/^give those domains .*$/, 'Change the nameservers of those domains first.'],
    ],
    registryStatuses: {
      ok: 'no restrictions',
      inactive: 'no nameservers',
      Hold: 'not in the DNS',
      TransferProhibited: 'transfers blocked',
      UpdateProhibited: 'changes blocked',
      DeleteProhibited: 'deletion blocked',
      RenewProhibited: 'renewals blocked',
      pendingCreate: 'registration in progress',
      pendingUpdate: 'change in progress',
      pendingRenew: 'renewal in progress',
      pendingTransfer: 'transfer in progress',
      pendingDelete: 'deletion in progress',
    },
  },
  {
    statuses: {
      Live: 'Aktif',
      Unpaid: 'Belum dibayar',
      Pending: 'Menunggu pendaftaran',
      Expired: 'Kedaluwarsa',
      'Pending Delete Restorable': 'Masa penebusan',
      'Pending Transfer': 'Menunggu transfer masuk atau keluar',
      'Transfer In': 'Menunggu transfer masuk',
      'Transfer Out': 'Transfer keluar diminta',
      'Pending Restore': 'Menunggu pemulihan',
      'Pending Delete': 'Menunggu penghapusan',
      Suspended: 'Ditangguhkan',
      Cancelled: 'Pesanan dibatalkan',
      Deleted: 'Dihapus',
      'Transferred Away': 'Ditransfer keluar',
      Moved: 'Pindah ke reseller lain',
    },
    reasons: [
      [/^locked \((.*)\)$/, 'Domain terkunci. Alasan: “$1”.'],
      [/^locked$/, 'Domain terkunci.'],
      [/^suspended \((.*)\)$/, 'Domain ditangguhkan. Alasan: “$1”.'],
      [/^suspended$/, 'Domain ditangguhkan.'],
      [/^theft_protection$/, 'Perlindungan dari pencurian aktif.'],
      [/^unpaid$/, 'Registri telah menambah satu tahun yang belum dibayar.'],
      [
        /^lock after its registration$/,
        'Kunci transfer setelah pendaftaran masih aktif. Linimasa menampilkan akhirnya.',
      ],
      [/^lock after its transfer .*$/, 'Kunci transfer setelah transfer masih aktif. Linimasa menampilkan akhirnya.'],
      [
        /^lock after the change .*$/,
        'Kunci transfer setelah pergantian pemilik domain masih aktif. Linimasa menampilkan akhirnya.',
      ],
      [/^state pending$/, 'Pesanan belum selesai.'],
      [/^state redemption$/, 'Domain sudah dihapus dan dalam masa penebusan.'],
      [/^state pending_restore$/, 'Pemulihan belum selesai.'],
      [/^state pending_delete$/, 'Domain segera dihapus.'],
      [/^state pending_transfer$/, 'Domain sedang ditransfer ke registrar lain.'],
      [/^state removed$/, 'Domain sudah dihapus atau keluar dari akun ini.'],
      [/^state unpaid$/, 'Pesanan belum dibayar.'],
      [/^operation \S+ .*$/, 'Operasi lain sedang berjalan.'],
      [/^server\w+$/, 'Registri menetapkan status $&.'],
      [/^client\w+$/, 'Status $& ditetapkan di registri.'],
      [/^its nameserver (.+) is used by .*$/, 'Nameserver $1 masih dipakai domain lain.'],
      [/^renew the domain$/, 'Perpanjang domain ini.'],
      [/^contact the registry$/, 'Hubungi registri.'],
      [/^contact the operator.*$/, 'Hubungi penyedia Anda.'],
      [/^wait for it.*$/, 'Tunggu sampai selesai.'],
      [/^wait for the order to end$/, 'Tunggu sampai selesai.'],
      [/^wait for the restore$/, 'Tunggu sampai selesai.'],
      [/^approve or reject the transfer.*$/, 'Setujui atau tolak transfer, atau tunggu sampai selesai.'],
      [
        /^pay, execute or cancel the order$/,
        'Gunakan API untuk menandai pesanan sebagai dibayar, menjalankannya tanpa pembayaran, atau membatalkannya.',
      ],
      [/^give those domains .*$/, 'Ganti dulu nameserver domain tersebut.'],
    ],
    registryStatuses: {
      ok: 'tanpa pembatasan',
      inactive: 'tanpa nameserver',
      Hold: 'tidak ada di DNS',
      TransferProhibited: 'transfer diblokir',
      UpdateProhibited: 'perubahan diblokir',
      DeleteProhibited: 'penghapusan diblokir',
      RenewProhibited: 'perpanjangan diblokir',
      pendingCreate: 'pendaftaran berjalan',
      pendingUpdate: 'perubahan berjalan',
      pendingRenew: 'perpanjangan berjalan',
      pendingTransfer: 'transfer berjalan',
      pendingDelete: 'penghapusan berjalan',
    },
  },
);

export const statusText = (status: string): string => statusMessages().statuses[status] ?? status;

/** A status of the registry with its meaning: "clientTransferProhibited (transfers blocked)". */
export function registryStatusText(status: string): string {
  const meaning = statusMessages().registryStatuses[status.replace(/^(?:client|server)/, '')];
  return meaning ? `${status} (${meaning})` : status;
}

export function reasonText(reason: string): string {
  const found = statusMessages().reasons.find(([pattern]) => pattern.test(reason));
  return (found ? reason.replace(found[0], found[1]) : reason).replaceAll('_', ' ');
}
