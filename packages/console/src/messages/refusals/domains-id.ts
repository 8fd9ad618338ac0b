/** Indonesian texts of refusals about domains, contacts and customers, by the English text. `{}` stands for a value; `{1}` for the first. */
export const domains: Readonly<Record<string, string>> = {
  '"{}" is not a TLD that is offered.': '"{}" bukan TLD yang ditawarkan.',
  '"{}" is not a domain name. Enter a full name, for example example.com.':
    '"{}" bukan nama domain. Masukkan nama lengkap, misalnya example.com.',
  '.{} allows at most {} DS records.': '.{} maksimal memiliki {} record DS.',
  '.{} does not support DNSSEC.': '.{} tidak mendukung DNSSEC.',
  '.{} does not support internationalised domain names.': '.{} tidak mendukung nama domain internasional (IDN).',
  '.{} domains are registered for {} to {} years.': 'Domain .{} didaftarkan untuk {} sampai {} tahun.',
  '.{} domains can be registered at most {} years ahead. {} more years would reach {}.':
    'Domain .{} dapat didaftarkan maksimal {} tahun ke depan. {} tahun lagi akan sampai {}.',
  'A change of registrant is already waiting for confirmation, as operation {}. Reject that one first.':
    'Perubahan pemilik domain sudah menunggu konfirmasi, sebagai operasi {}. Tolak perubahan itu terlebih dahulu.',
  'A child nameserver can have at most {} addresses.': 'Satu child nameserver maksimal memiliki {} alamat.',
  'A digest of type {} must have {} hexadecimal digits, not {}.':
    'Digest jenis {} harus memiliki {} digit heksadesimal, bukan {}.',
  'A domain can have at most {} child nameservers.': 'Satu domain maksimal memiliki {} child nameserver.',
  'A label must not mix {} letters, because it could be mistaken for another domain name.':
    'Nama tidak boleh mencampur huruf {}, karena dapat disangka nama domain lain.',
  'A nameserver is listed twice.': 'Ada nameserver yang ditulis dua kali.',
  'A restore has no number of years. Leave this field out.':
    'Pemulihan tidak memiliki jumlah tahun. Kosongkan isian ini.',
  'An unfinished change of {} uses this contact. Wait until it is finished.':
    'Perubahan {} yang belum selesai memakai kontak ini. Tunggu sampai selesai.',
  'At least {} nameservers are required.': 'Minimal {} nameserver wajib diisi.',
  'At most {} wrong codes a day are allowed. Try again tomorrow.': 'Maksimal {} kode salah per hari. Coba lagi besok.',
  'Contact {} changed after its registrant was asked to confirm.':
    'Kontak {} berubah setelah pemilik domainnya diminta mengonfirmasi.',
  'Contact {} did not match: it is not a contact of customer {}.': 'Kontak {} tidak cocok: bukan kontak pelanggan {}.',
  'Contact {} has no declaration for .{} yet. Set its extra fields first.':
    'Kontak {} belum memiliki pernyataan untuk .{}. Isi data tambahannya terlebih dahulu.',
  'Contact {} is not a contact of customer {}.': 'Kontak {} bukan kontak pelanggan {}.',
  'Contacts need no additional fields for .{}.': 'Kontak tidak memerlukan isian tambahan untuk .{}.',
  'Customer not found.': 'Pelanggan tidak ditemukan.',
  'Customer {} has no active contact{} to become registrant of {}. Create one first.':
    'Pelanggan {} tidak memiliki kontak aktif{} untuk menjadi pemilik domain {}. Buat terlebih dahulu.',
  'Customer {} no longer exists. Reject the move.': 'Pelanggan {} tidak ada lagi. Tolak pemindahan ini.',
  'Move {} is no longer waiting for an answer.': 'Pemindahan {} tidak lagi menunggu jawaban.',
  'Move {} was not answered in time.': 'Pemindahan {} tidak dijawab tepat waktu.',
  'Must be 257 (a key signing key) or 256.': 'Harus 257 (key signing key) atau 256.',
  'Must be a DNSSEC algorithm.': 'Harus berupa algoritma DNSSEC.',
  'Must be a known digest type.': 'Harus berupa jenis digest yang dikenal.',
  'Must be an IPv4 or IPv6 address.': 'Harus berupa alamat IPv4 atau IPv6.',
  'Must be at most 4000 days at once.': 'Maksimal 4000 hari sekaligus.',
  'Must be at most {} nameservers.': 'Maksimal {} nameserver.',
  'Must be base64.': 'Harus berupa base64.',
  'Must be hexadecimal.': 'Harus berupa heksadesimal.',
  'Must be like +30d, +12h, +45m or +10s.': 'Harus seperti +30d, +12h, +45m, atau +10s.',
  'Must be manual, renew or renew_once. With manual, a domain that is not renewed expires too.':
    'Harus manual, renew, atau renew_once. Dengan manual, domain yang tidak diperpanjang juga berakhir.',
  'Must be printable ASCII without spaces.': 'Hanya karakter ASCII yang dapat dicetak, tanpa spasi.',
  'Must be printable ASCII.': 'Hanya karakter ASCII yang dapat dicetak.',
  'Must be the current expiry date, {}.': 'Harus sama dengan tanggal berakhir saat ini, {}.',
  'Must have at most {} bytes.': 'Maksimal {} byte.',
  'Must have {} to {} characters.': 'Harus memiliki {} sampai {} karakter.',
  'Must not be in the future.': 'Tidak boleh di masa depan.',
  'Nameservers inside the domain itself must first be created as child nameservers.':
    'Nameserver di dalam domain ini sendiri harus dibuat dulu sebagai child nameserver.',
  'No mail was sent: {} is one of the notices that you send yourself.':
    'Tidak ada email yang dikirim: {} termasuk pemberitahuan yang Anda kirim sendiri.',
  'No transfer of {} is in progress, so there is nothing to cancel.':
    'Tidak ada transfer {} yang sedang berjalan, sehingga tidak ada yang dibatalkan.',
  'No transfer of {} to us is pending at the registry.': 'Tidak ada transfer {} ke kami yang menunggu di registri.',
  'Only domain names directly below .{} can be registered.':
    'Hanya nama domain langsung di bawah .{} yang dapat didaftarkan.',
  'Operation {} ({}, {}) is still in progress on this domain.': 'Operasi {} ({}, {}) masih berjalan pada domain ini.',
  'Operation {} is waiting for approval. Reject it instead.': 'Operasi {} menunggu persetujuan. Tolak saja.',
  'Operation {} is {} and can no longer be cancelled.': 'Operasi {} berstatus {} dan tidak dapat dibatalkan lagi.',
  'Privacy protection is not sold with a restore.': 'Perlindungan privasi tidak dijual bersama pemulihan.',
  'Privacy protection is not sold with a transfer. Buy it after the transfer.':
    'Perlindungan privasi tidak dijual bersama transfer. Beli setelah transfer.',
  'Privacy protection of {} is not paid for. Buy it first.':
    'Perlindungan privasi {} belum dibayar. Beli terlebih dahulu.',
  'Privacy protection of {} {}, and the domain expires on {}. Renew the domain with privacy protection.':
    'Perlindungan privasi {} {}, dan domain berakhir pada {}. Perpanjang domain beserta perlindungan privasi.',
  'Quote not found.': 'Penawaran harga tidak ditemukan.',
  'The TLD is not offered.': 'TLD ini tidak ditawarkan.',
  'The auth code is no longer valid or was already shown. Request it again.':
    'Kode transfer tidak berlaku lagi atau sudah ditampilkan. Minta lagi.',
  'The auth code is no longer valid. Request it again.': 'Kode transfer tidak berlaku lagi. Minta lagi.',
  'The auth code of the current registrar is required.': 'Kode transfer dari registrar saat ini wajib diisi.',
  'The change of registrant of {} can no longer be confirmed.':
    'Perubahan pemilik domain {} tidak dapat dikonfirmasi lagi.',
  'The contact is in use by {}. Assign another contact to the domain first.':
    'Kontak dipakai oleh {}. Pasang kontak lain pada domain itu terlebih dahulu.',
  'The customer already has an order for this domain.': 'Pelanggan sudah memiliki pesanan untuk domain ini.',
  'The customer has a balance of {} {}. Pay it out and record a debit note first.':
    'Pelanggan memiliki saldo {} {}. Bayarkan saldonya dan catat nota debit terlebih dahulu.',
  'The customer has active orders: {}{}. Delete or move the domains and cancel waiting orders first.':
    'Pelanggan masih memiliki pesanan aktif: {}{}. Hapus atau pindahkan domainnya dan batalkan pesanan yang menunggu terlebih dahulu.',
  'The customer has open bills: {}{}. Pay or cancel them first.':
    'Pelanggan masih memiliki tagihan terbuka: {}{}. Bayar atau batalkan terlebih dahulu.',
  'The customer owes {} {} after a chargeback. A deposit settles it.':
    'Pelanggan berutang {} {} setelah pembayaran ditarik kembali. Deposit melunasinya.',
  'The domain is signed with DNSSEC (it has DS records). Leave the nameservers out, and change them after the transfer.':
    'Domain ditandatangani dengan DNSSEC (ada record DS). Kosongkan nameserver, lalu ubah setelah transfer.',
  'The domain now belongs to another customer. Cancel this order.':
    'Domain sekarang milik pelanggan lain. Batalkan pesanan ini.',
  'The expiry date of {} is not known yet.': 'Tanggal berakhir {} belum diketahui.',
  'The key, user or session that offered this move was revoked or removed. Decline it; the current reseller can offer it again.':
    'Kunci API, pengguna, atau sesi yang menawarkan pemindahan ini sudah dicabut atau dihapus. Tolak; reseller saat ini dapat menawarkannya lagi.',
  'The limit of {} such mails a day is reached. Try again tomorrow.':
    'Batas {} email seperti ini per hari tercapai. Coba lagi besok.',
  'The order for {} is waiting for payment.': 'Pesanan {} menunggu pembayaran.',
  'The order was for domain {}, which is no longer in this account. Cancel this order.':
    'Pesanan ini untuk domain {}, yang tidak lagi ada di akun ini. Batalkan pesanan ini.',
  'The part before .{} must have {} to {} characters.': 'Bagian sebelum .{} harus terdiri dari {} sampai {} karakter.',
  'The price is {}, above {}.': 'Harganya {}, di atas {}.',
  'The privacy protection of {} was just changed. Nothing was ordered.':
    'Perlindungan privasi {} baru saja diubah. Tidak ada yang dipesan.',
  'The quote is for: {} {}, {} year(s), with privacy protection.':
    'Penawaran harga ini untuk: {} {}, {} tahun, dengan perlindungan privasi.',
  'The quote is for: {} {}, {} year(s), without privacy protection.':
    'Penawaran harga ini untuk: {} {}, {} tahun, tanpa perlindungan privasi.',
  'The quote was used by operation {}.': 'Penawaran harga sudah dipakai oleh operasi {}.',
  'The quote was valid until {}Z.': 'Penawaran harga berlaku sampai {}Z.',
  'The registrant of {} has another email address here.': 'Pemilik domain {} memiliki alamat email lain di sini.',
  'The registrant of {} is not known here. Set its contacts first.':
    'Pemilik domain {} tidak diketahui di sini. Atur kontaknya terlebih dahulu.',
  'The registration of {} is being sent to the registry. Try again when the registry has answered.':
    'Pendaftaran {} sedang dikirim ke registri. Coba lagi setelah registri menjawab.',
  'The registry cannot be queried about the domain at the moment.':
    'Registri sedang tidak dapat ditanya tentang domain ini.',
  'The registry cannot quote the price of this domain at the moment. Nothing was ordered.':
    'Registri sedang tidak dapat memberi harga domain ini. Tidak ada yang dipesan.',
  'The registry cannot quote the price of {} at the moment. Nothing was ordered.':
    'Registri sedang tidak dapat memberi harga {}. Tidak ada yang dipesan.',
  'The registry makes the auth codes of this TLD. Read the code instead.':
    'Registri yang membuat kode transfer TLD ini. Tampilkan kodenya saja.',
  'The registry of .{} quotes prices in {}, but {} is expected. Contact your provider: the currency and costs of the registry must be set.':
    'Registri .{} memberi harga dalam {}, sedangkan yang diharapkan {}. Hubungi penyedia Anda: mata uang dan biaya registri harus diatur.',
  'The sandbox registry of this installation is not running.': 'Registri sandbox pada instalasi ini tidak berjalan.',
  'There is no registry cost for this TLD, so a premium domain cannot be priced.':
    'Belum ada biaya registri untuk TLD ini, sehingga harga domain premium tidak dapat dihitung.',
  'This TLD requires a {} contact.': 'TLD ini memerlukan kontak {}.',
  'This TLD requires an {} contact.': 'TLD ini memerlukan kontak {}.',
  'This account requires approval to delete domains, so auto-deletion is not possible. With manual, a domain that is not renewed expires too.':
    'Akun ini mewajibkan persetujuan untuk menghapus domain, sehingga penghapusan otomatis tidak mungkin. Dengan manual, domain yang tidak diperpanjang juga berakhir.',
  'This account verifies its registrants itself. Ask them, and report what they confirm.':
    'Akun ini memverifikasi pemilik domainnya sendiri. Tanyakan kepada mereka, lalu laporkan konfirmasinya.',
  'This customer already has {}.': 'Pelanggan ini sudah memiliki {}.',
  'This customer has no access yet. Grant access first.':
    'Pelanggan ini belum memiliki akses. Berikan akses terlebih dahulu.',
  'This field is not available to customers.': 'Isian ini tidak tersedia bagi pelanggan.',
  'This field is required to {}.': 'Isian ini wajib untuk {}.',
  'This is not a domain of yours.': 'Ini bukan domain Anda.',
  'This is not the customer of {}.': 'Ini bukan pelanggan {}.',
  'This service verifies your registrants. Your provider has not delegated this to your account.':
    'Layanan ini memverifikasi pemilik domain Anda. Penyedia Anda belum menyerahkannya kepada akun Anda.',
  'Too easy to guess. Use at least {} different characters of {} kinds: lower-case, upper-case, digits, others.':
    'Terlalu mudah ditebak. Pakai minimal {} karakter berbeda dari {} jenis: huruf kecil, huruf besar, angka, lainnya.',
  'Too many orders are queued before this one. Nothing was ordered.':
    'Terlalu banyak pesanan dalam antrean sebelum pesanan ini. Tidak ada yang dipesan.',
  'Transfers of {} wait for an auth code for several customers, as domains {}. Send customer_id, or the domain id in the path.':
    'Transfer {} menunggu kode transfer untuk beberapa pelanggan, sebagai domain {}. Kirim customer_id, atau ID domain di alamat.',
  'Wrong domain name or auth code, or the domain is not on this platform.':
    'Nama domain atau kode transfer salah, atau domain tidak ada di platform ini.',
  'Your balance is {} {} too low for this purchase. {}': 'Saldo Anda kurang {} {} untuk pembelian ini. {}',
  'Your provider cannot process this order at the moment. {}': 'Penyedia Anda belum dapat memproses pesanan ini. {}',
  'Your provider does not accept orders at the moment. {}': 'Penyedia Anda sedang tidak menerima pesanan. {}',
  'Your provider has no price for this. Please contact your provider.':
    'Penyedia Anda belum menetapkan harga untuk ini. Hubungi penyedia Anda.',
  'privacy protect not available for .{} domains': 'Perlindungan privasi tidak tersedia untuk domain .{}.',
  '{} already exists.': '{} sudah ada.',
  '{} already has the address {}.': '{} sudah memiliki alamat {}.',
  '{} already has this DS record.': '{} sudah memiliki record DS ini.',
  '{} already uses the address {}.': '{} sudah memakai alamat {}.',
  '{} already uses this address.': '{} sudah memakai alamat ini.',
  '{} cannot be changed: {} is in progress.': '{} belum dapat diubah: {} sedang berjalan.',
  '{} cannot be changed: {}.': '{} tidak dapat diubah: {}.',
  '{} cannot be deleted: {}.': '{} tidak dapat dihapus: {}.',
  '{} cannot be moved because it has expired. Renew it first.':
    '{} tidak dapat dipindahkan karena masa aktifnya berakhir. Perpanjang terlebih dahulu.',
  '{} cannot be moved before {}: the lock after {} lasts until then.':
    '{} belum dapat dipindahkan sebelum {}: masa kunci setelah {} berlaku sampai saat itu.',
  '{} cannot be moved now because of a lock, an open operation or its expiry. Contact the current reseller, then accept again.':
    '{} belum dapat dipindahkan karena kunci domain, operasi yang berjalan, atau masa aktifnya. Hubungi reseller saat ini, lalu terima lagi.',
  '{} cannot be moved: it is still on hold for an unpaid term. Try again in a minute.':
    '{} tidak dapat dipindahkan: domain masih ditangguhkan karena masa aktif yang belum dibayar. Coba lagi sebentar lagi.',
  '{} cannot be moved: its registrant has not confirmed the email address.':
    '{} tidak dapat dipindahkan: pemilik domainnya belum mengonfirmasi alamat email.',
  '{} cannot be restored: its deletion date is not known yet.':
    '{} tidak dapat dipulihkan: tanggal penghapusannya belum diketahui.',
  '{} cannot be transferred before {}: the lock after {} lasts until then.':
    '{} belum dapat ditransfer sebelum {}: masa kunci setelah {} berlaku sampai saat itu.',
  '{} cannot be {}: {}, set by {}.': '{} tidak dapat {}: ada status {} dari {}.',
  '{} cannot be {}: {}.': '{} tidak dapat {}: {}.',
  '{} cannot leave: its registry has added a year that is not paid. Renew the domain first.':
    '{} belum dapat dipindahkan: registrinya menambah satu tahun yang belum dibayar. Perpanjang domain terlebih dahulu.',
  '{} changed after its registrants were asked to confirm.':
    '{} berubah setelah para pemilik domain diminta mengonfirmasi.',
  '{} changed after this change was requested. Request it again.':
    '{} berubah setelah perubahan ini diminta. Minta lagi.',
  '{} changes of registrant are already waiting for confirmation. Reject some of them first.':
    '{} perubahan pemilik domain sudah menunggu konfirmasi. Tolak sebagian terlebih dahulu.',
  '{} expires on {}, not on {}.': '{} berakhir pada {}, bukan pada {}.',
  '{} expires on {}, so at most {} more years of privacy protection can be bought.':
    '{} berakhir pada {}, sehingga perlindungan privasi hanya dapat dibeli maksimal {} tahun lagi.',
  '{} has changed its customer since the move was requested. Reject the move.':
    'Pelanggan {} berganti setelah pemindahan diminta. Tolak pemindahan ini.',
  '{} has no registrant to send the mail to.': '{} tidak memiliki pemilik domain yang dapat dikirimi email.',
  '{} is a nameserver of {}. Assign other nameservers to the domain first.':
    '{} adalah nameserver untuk {}. Pasang nameserver lain pada domain itu terlebih dahulu.',
  '{} is a premium domain at {}. Confirm the price with the order.':
    '{} adalah domain premium dengan harga {}. Setujui harganya dalam pesanan.',
  '{} is already deleted.': '{} sudah dihapus.',
  '{} is already offered by operation {}. Reject that offer first.':
    '{} sudah ditawarkan oleh operasi {}. Tolak tawaran itu terlebih dahulu.',
  '{} is already ordered, as domain {}.': '{} sudah dipesan, sebagai domain {}.',
  '{} is being moved to this customer. Wait until the move is finished.':
    '{} sedang dipindahkan ke pelanggan ini. Tunggu sampai pemindahan selesai.',
  '{} is no longer here.': '{} tidak ada lagi di sini.',
  '{} is not pending. Change the contacts of the domain instead.':
    '{} tidak sedang menunggu. Ubah kontak domainnya saja.',
  '{} is not valid NameServer: It must be inside {}.':
    '{} bukan nameserver yang sah: namanya harus berada di dalam {}.',
  '{} is not valid NameServer: {}': '{} bukan nameserver yang sah: {}',
  '{} is not waiting for a confirmation by its registrant.': '{} tidak menunggu konfirmasi pemilik domainnya.',
  '{} is protected against transfers. Turn off theft protection first.':
    '{} dilindungi dari transfer. Nonaktifkan perlindungan dari pencurian terlebih dahulu.',
  '{} is waiting for the confirmation after its {}, not after a change of registrant.':
    '{} menunggu konfirmasi setelah {}, bukan setelah perubahan pemilik domain.',
  '{} is {}. Turn off the domain lock first.': '{1} dikunci. Buka kunci domain terlebih dahulu.',
  '{} is {}. Unsuspend the domain first.': '{1} ditangguhkan. Aktifkan kembali domain terlebih dahulu.',
  '{} offers are already waiting for an answer. Reject some of them first.':
    '{} tawaran sudah menunggu jawaban. Tolak sebagian terlebih dahulu.',
  '{} was already auto-renewed for this term. Order the renewal manually.':
    '{} sudah diperpanjang otomatis untuk masa aktif ini. Pesan perpanjangan secara manual.',
  '{} was taken by another order in the meantime.': '{} sudah diambil oleh pesanan lain.',
  '{}: no transfer is waiting for another auth code.': '{}: tidak ada transfer yang menunggu kode transfer lain.',
  'Must be key=value pairs or a JSON object.': 'Harus berupa pasangan kunci=nilai atau objek JSON.',
  'Must have at most {} fields.': 'Maksimal {} isian.',
  '{} must be text.': '{} harus berupa teks.',
  'Must be valid JSON.': 'Harus berupa JSON yang benar.',
  'No contact of this customer qualifies for .{}. Create one.':
    'Belum ada kontak pelanggan ini yang memenuhi syarat .{}. Buat kontak baru.',
  'Must be the id of a contact, or -1.': 'Harus berupa ID kontak, atau -1.',
  'Must be no_invoice, pay_invoice, keep_invoice or only_add.':
    'Harus no_invoice, pay_invoice, keep_invoice, atau only_add.',
  'Must have at most 50 fields.': 'Maksimal 50 isian.',
  'SMS is not supported. Use type=email.': 'SMS tidak didukung. Pakai type=email.',
  'Must be 1.': 'Harus 1.',
  'Must be All or some of {}.': 'Harus All atau sebagian dari {}.',
  'Must contain a letter or digit.': 'Harus berisi huruf atau angka.',
  'The transfer was completed before it could be cancelled. The domain is now here.':
    'Transfer selesai sebelum dapat dibatalkan. Domain sekarang ada di sini.',
  'Domain not found.': 'Domain tidak ditemukan.',
};
