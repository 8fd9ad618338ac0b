/** Indonesian texts of values that are themselves words of a refusal. */
export const parts: Readonly<Record<string, string>> = {
  renewed: 'diperpanjang',
  deleted: 'dihapus',
  restored: 'dipulihkan',
  transferred: 'ditransfer',
  moved: 'dipindahkan',
  changed: 'diubah',
  'approved or rejected for transfer': 'disetujui atau ditolak transfernya',
  'its registration or transfer is not finished': 'pendaftaran atau transfernya belum selesai',
  'it is not deleted': 'domain ini tidak dihapus',
  'it was deleted and is in redemption. Restore it first':
    'domain sudah dihapus dan dalam masa penebusan. Pulihkan terlebih dahulu',
  'its restore is not finished': 'pemulihannya belum selesai',
  'its redemption period is over and it will be deleted soon': 'masa penebusannya berakhir dan domain segera dihapus',
  'a transfer is in progress': 'transfer sedang berjalan',
  'it is no longer here': 'domain tidak ada lagi di sini',
  'its order is waiting for payment. Pay it, run it without payment, or cancel it':
    'pesanannya menunggu pembayaran. Bayar, jalankan tanpa pembayaran, atau batalkan',
  'no other registrar requests it': 'tidak ada registrar lain yang memintanya',
  'its registration': 'pendaftarannya',
  'its transfer to this registrar': 'transfer ke registrar ini',
  'the change of its registrant': 'perubahan pemilik domainnya',
  'the registry': 'registri',
  us: 'kami',
  'Nothing was ordered.': 'Tidak ada yang dipesan.',
  'The password must not be the email address.': 'Kata sandi tidak boleh sama dengan alamat email.',
  'The password is too easy to guess.': 'Kata sandi terlalu mudah ditebak.',
};
