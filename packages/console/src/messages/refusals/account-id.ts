/** Indonesian texts of refusals about accounts, users, keys, prices and invoices, by the English text. `{}` stands for a value; `{1}` for the first. */
export const account: Readonly<Record<string, string>> = {
  '"{}" is not a TLD such as com or co.id.': '"{}" bukan TLD seperti com atau co.id.',
  '"{}" is not a scope. Use {}.': '"{}" bukan izin (scope). Pakai {}.',
  '"{}" is not an IPv4 or IPv6 address or a range such as 192.0.2.0/24.':
    '"{}" bukan alamat IPv4 atau IPv6, atau rentang seperti 192.0.2.0/24.',
  '"{}" is not an ISO 4217 currency code.': '"{}" bukan kode mata uang ISO 4217.',
  'A change of registrant is approved by the registrants, through the links in their emails.':
    'Perubahan pemilik domain disetujui oleh para pemilik domain, lewat tautan di email mereka.',
  'A move is approved by the reseller that receives the domain.':
    'Pemindahan disetujui oleh reseller yang menerima domain.',
  'The email address of the customer is {}.': 'Alamat email pelanggan adalah {}.',
  'The email address of the customer was changed from {} to {} by a key or user that may not grant this access. If {} belongs to the customer, confirm it with the field email. Otherwise change the address back first.':
    'Alamat email pelanggan diubah dari {1} menjadi {2} oleh kunci atau pengguna yang tidak boleh memberikan akses ini. Jika {2} milik pelanggan, pastikan dengan mengisi alamat email. Jika tidak, ubah dahulu alamatnya kembali.',
  'A quotation mark is opened and never closed. Close it, or remove it.':
    'Ada tanda kutip yang dibuka tetapi tidak ditutup. Tutup atau hapus.',
  'A sandbox does not use the network. Set NAMEHOLD_RESOLVER to a resolver on this machine.':
    'Sandbox tidak memakai jaringan. Atur NAMEHOLD_RESOLVER ke resolver di mesin ini.',
  'A user can have at most {} passkeys. Remove one first.':
    'Satu pengguna maksimal memiliki {} kunci sandi. Hapus satu terlebih dahulu.',
  'All keys with the scope full were created by one key, so no other principal could approve. Request an invitation from your provider, and create another key with it. The operator can use `namehold key create`.':
    'Semua kunci dengan izin full dibuat oleh satu kunci, sehingga tidak ada pihak lain yang dapat menyetujui. Minta undangan dari penyedia Anda, lalu buat kunci lain dengannya. Operator dapat memakai `namehold key create`.',
  'An account above yours has no price for {}.': 'Akun di atas akun Anda belum memiliki harga untuk {}.',
  'An account above yours has no price for {}.{}': 'Akun di atas akun Anda belum memiliki harga untuk {}.{}',
  'An account can have at most {} host names. Remove one first.':
    'Satu akun maksimal memiliki {} nama host. Hapus satu terlebih dahulu.',
  'An account can have at most {} keys. Revoke one first.':
    'Satu akun maksimal memiliki {} kunci API. Cabut satu terlebih dahulu.',
  'An account can have at most {} open invitations. Withdraw one first.':
    'Satu akun maksimal memiliki {} undangan terbuka. Batalkan satu terlebih dahulu.',
  'An account can have at most {} users. Remove one first.':
    'Satu akun maksimal memiliki {} pengguna. Hapus satu terlebih dahulu.',
  'An account cannot {} itself. Its parent account can.':
    'Akun tidak dapat melakukan ini pada dirinya sendiri ({}). Akun induknya dapat melakukannya.',
  'An amount is only for a partial credit. An invoice that is reissued is credited in full.':
    'Jumlah hanya untuk kredit sebagian. Tagihan yang diterbitkan ulang dikredit seluruhnya.',
  'At least one address or range is required.': 'Minimal satu alamat atau rentang wajib diisi.',
  'Choose at least one permission (scope).': 'Pilih minimal satu izin (scope).',
  'Choose at least one permission.': 'Pilih minimal satu izin.',
  'Give the brand a name first.': 'Beri nama merek terlebih dahulu.',
  'Incorrect email or password.': 'Email atau kata sandi salah.',
  'Must be # and six hexadecimal digits, such as #2a4fd0.':
    'Harus berupa # dan enam digit heksadesimal, misalnya #2a4fd0.',
  'Must be a PNG, WebP or SVG image.': 'Harus berupa gambar PNG, WebP, atau SVG.',
  'Must be a date such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z.':
    'Harus berupa tanggal seperti 2027-01-31 atau waktu seperti 2027-01-31T12:00:00Z.',
  'Must be a percentage such as 12.5, with at most two decimal places.':
    'Harus berupa persentase seperti 12.5, maksimal dua angka desimal.',
  'Must be a public host name, such as panel.example.com.':
    'Harus berupa nama host publik, misalnya panel.example.com.',
  'Must be an IANA time zone, such as Asia/Jakarta.': 'Harus berupa zona waktu IANA, misalnya Asia/Jakarta.',
  'Must be an ISO 4217 currency code such as USD.': 'Harus berupa kode mata uang ISO 4217, misalnya USD.',
  'Must be at most 64 KiB. Use a smaller image.': 'Maksimal 64 KiB. Pakai gambar yang lebih kecil.',
  'Must be at most 7 days.': 'Maksimal 7 hari.',
  'Must be at most {} pixels wide and high. Use a smaller image.':
    'Lebar dan tinggi maksimal {} piksel. Pakai gambar yang lebih kecil.',
  'Must be from {} to {}.': 'Harus dari {} sampai {}.',
  'Must be greater than 0, for example 1.00.': 'Harus lebih dari 0, misalnya 1.00.',
  'Must be in the future.': 'Harus di masa depan.',
  'Must be less than the rounding step.': 'Harus kurang dari langkah pembulatan.',
  'Must be more than zero.': 'Harus lebih dari nol.',
  'Must be one line of text.': 'Harus satu baris teks.',
  'Must be registration, renewal, transfer, restore, privacy or registrant_change.':
    'Harus registration, renewal, transfer, restore, privacy, atau registrant_change.',
  'Must be {}, the currency of this account, or be left out.': 'Harus {}, mata uang akun ini, atau dikosongkan.',
  'Must differ from the current password.': 'Harus berbeda dari kata sandi saat ini.',
  'Must have at most {} lines.': 'Maksimal {} baris.',
  'Must have at most {} rules.': 'Maksimal {} aturan.',
  'Must not be later than the expiry of the key in use, {}.':
    'Tidak boleh lebih lama dari masa berlaku kunci yang sedang dipakai, {}.',
  'Must not be more than the remaining amount, {} {}.': 'Tidak boleh melebihi sisa jumlah, {} {}.',
  'Must not be negative.': 'Tidak boleh negatif.',
  'No user has this email address.': 'Tidak ada pengguna dengan alamat email ini.',
  'One of {} is required.': 'Salah satu dari {} wajib diisi.',
  'Only a key with the scope full can manage a key that has more scopes than itself.':
    'Hanya kunci dengan izin full yang dapat mengelola kunci dengan izin lebih banyak.',
  'Only an issued invoice can be credited.': 'Hanya tagihan yang sudah terbit yang dapat dikredit.',
  'Only an owner can manage users who have more permissions.':
    'Hanya pemilik akun yang dapat mengelola pengguna dengan izin lebih banyak.',
  'Only staff users can have their own scopes.': 'Hanya pengguna staf yang dapat memiliki izin sendiri.',
  'Operation {} is not waiting for approval: its state is {}.': 'Operasi {} tidak menunggu persetujuan: statusnya {}.',
  'Operation {} was not approved in time.': 'Operasi {} tidak disetujui tepat waktu.',
  'Passkeys require a public address with a host name, not an IP address.':
    'Kunci sandi memerlukan alamat publik dengan nama host, bukan alamat IP.',
  'Recovery codes are a backup for two-factor authentication. Add a passkey or an authenticator first.':
    'Kode pemulihan adalah cadangan untuk autentikasi dua faktor. Tambahkan kunci sandi atau autentikator terlebih dahulu.',
  'Remove your own two-factor authentication at /me.': 'Hapus autentikasi dua faktor Anda sendiri di halaman profil.',
  'Reseller not found.': 'Reseller tidak ditemukan.',
  'Rule {} has the same scope as an earlier rule.': 'Aturan {} memiliki cakupan yang sama dengan aturan sebelumnya.',
  'The SVG contains {}. Export it as plain SVG.': 'SVG berisi {}. Ekspor sebagai SVG biasa.',
  'The account already owes more than that. Wait for a payment or choose a higher limit.':
    'Akun sudah berutang lebih dari itu. Tunggu pembayaran atau pilih batas yang lebih tinggi.',
  'The account settings changed after this change was requested. Request it again.':
    'Pengaturan akun berubah setelah perubahan ini diminta. Minta lagi.',
  'The approval must come from another key or user that existed before the request. A key created or rotated by the requester does not count.':
    'Persetujuan harus dari kunci API atau pengguna lain yang sudah ada sebelum permintaan. Kunci yang dibuat atau diganti oleh peminta tidak berlaku.',
  'The authenticator is already confirmed.': 'Autentikator sudah dikonfirmasi.',
  'The balance does not cover a debit note of {} {}.': 'Saldo tidak cukup untuk nota debit {} {}.',
  'The balance does not cover this purchase of {} {}: {} {} is missing.':
    'Saldo tidak cukup untuk pembelian ini sebesar {} {}: kurang {} {}.',
  'The brand needs a name.': 'Merek memerlukan nama.',
  'The code is incorrect or has expired.': 'Kode salah atau sudah kedaluwarsa.',
  'The code or the password is incorrect.': 'Kode atau kata sandi salah.',
  'The colour for light pages is required too.': 'Warna untuk halaman terang juga wajib diisi.',
  'The contrast on {} pages is {}:1, and at least {}:1 is required. The nearest that passes is {}.':
    'Kontras pada halaman {} adalah {}:1, sedangkan minimal {}:1. Warna terdekat yang memenuhi adalah {}.',
  'The currency is {} and cannot be changed.': 'Mata uangnya {} dan tidak dapat diubah.',
  'The current password is incorrect.': 'Kata sandi saat ini salah.',
  'The file is empty.': 'Berkas kosong.',
  'The first line must name the columns. Missing: {}. Allowed columns: {}.':
    'Baris pertama harus menyebutkan kolom. Belum ada: {}. Kolom yang diizinkan: {}.',
  'The host name is too long.': 'Nama host terlalu panjang.',
  'The image is truncated or damaged. Save it again.': 'Gambar terpotong atau rusak. Simpan ulang gambarnya.',
  'The invitation or the password is not valid.': 'Undangan atau kata sandi tidak benar.',
  'The key in use is not allowed from {} itself.': 'Kunci yang sedang dipakai sendiri tidak boleh dipakai dari {}.',
  'The key is revoked. Create a new one.': 'Kunci ini sudah dicabut. Buat kunci baru.',
  'The key, user or session that requested this change was revoked or removed. Decline it and request the change again.':
    'Kunci API, pengguna, atau sesi yang meminta perubahan ini sudah dicabut atau dihapus. Tolak, lalu minta lagi perubahannya.',
  'The last owner cannot leave the account. Make another user an owner first.':
    'Pemilik terakhir tidak dapat meninggalkan akun. Jadikan pengguna lain pemilik terlebih dahulu.',
  'The line has {} values, but the header has {} columns.':
    'Baris ini memiliki {} nilai, sedangkan judulnya memiliki {} kolom.',
  'The passkey did not sign the challenge.': 'Kunci sandi tidak menandatangani tantangan.',
  'The passkey did not sign the challenge. Request a new challenge.':
    'Kunci sandi tidak menandatangani tantangan. Minta tantangan baru.',
  'The registry costs of this order are in two currencies. Order its parts one by one.':
    'Biaya registri untuk pesanan ini dalam dua mata uang. Pesan bagiannya satu per satu.',
  'The registry of .{} charges in {}, but its costs are listed in {}. The operator must import its costs in {}.':
    'Registri .{} menagih dalam {}, sedangkan biayanya tercatat dalam {}. Operator harus mengimpor biayanya dalam {}.',
  'The replacement invoice cannot be issued: your tax table has no rate for {}.':
    'Tagihan pengganti tidak dapat diterbitkan: tabel pajak Anda tidak memiliki tarif untuk {}.',
  'The replacement invoice cannot be issued: {}.': 'Tagihan pengganti tidak dapat diterbitkan: {}.',
  'The user also signs in to other accounts. Only the operator of this service can remove two-factor authentication. Contact your provider.':
    'Pengguna ini juga masuk ke akun lain. Hanya operator layanan yang dapat menghapus autentikasi dua faktor. Hubungi penyedia Anda.',
  'The user has no two-factor authentication to remove.':
    'Pengguna ini tidak memiliki autentikasi dua faktor yang dapat dihapus.',
  'There is already an authenticator. Remove it first.': 'Sudah ada autentikator. Hapus terlebih dahulu.',
  'There is no price for {} in {}.{}': 'Belum ada harga untuk {} dalam {}.{}',
  'This API key lacks the scope {}.': 'Kunci API ini tidak memiliki izin {}.',
  'This invitation was not sent by email, so it cannot create a new user. Request another invitation from your provider.':
    'Undangan ini tidak dikirim lewat email, sehingga tidak dapat membuat pengguna baru. Minta undangan lain dari penyedia Anda.',
  'This is the host name of the service itself.': 'Ini nama host layanan ini sendiri.',
  'This passkey is already registered.': 'Kunci sandi ini sudah terdaftar.',
  'This passkey is not recognised.': 'Kunci sandi ini tidak dikenal.',
  'This password is temporary. Choose a new password.': 'Kata sandi ini sementara. Buat kata sandi baru.',
  'This password is too easy to guess. Choose another one.': 'Kata sandi ini terlalu mudah ditebak. Pilih yang lain.',
  'This service cannot take another host name.': 'Layanan ini tidak dapat menerima nama host lagi.',
  'This service sends no email, so the email address of the account cannot be confirmed. Request an invitation from your provider.':
    'Layanan ini tidak mengirim email, sehingga alamat email akun tidak dapat dikonfirmasi. Minta undangan dari penyedia Anda.',
  'Too many attempts. Try again later.': 'Terlalu banyak percobaan. Coba lagi nanti.',
  'Too many passwords are being checked at the moment. Try again in a second.':
    'Terlalu banyak kata sandi sedang diperiksa. Coba lagi sebentar lagi.',
  'Write {}.{} with a point, because a comma separates columns.':
    'Tulis {}.{} dengan titik, karena koma memisahkan kolom.',
  'You also belong to other accounts. Sign in at the main address of the service.':
    'Anda juga anggota akun lain. Masuk lewat alamat utama layanan.',
  'You are not a member of this account, or the password is incorrect.':
    'Anda bukan anggota akun ini, atau kata sandi salah.',
  'You are not a member of this account.': 'Anda bukan anggota akun ini.',
  'You do not have the scope "{}" yourself.': 'Anda sendiri tidak memiliki izin "{}".',
  'You have no customer price for {} of .{} for {}. Set one in your customer price list. A rule that leads below zero sets no price.':
    'Anda belum memiliki harga pelanggan untuk {} .{} selama {}. Tetapkan di daftar harga pelanggan Anda. Aturan yang hasilnya di bawah nol tidak menetapkan harga.',
  'You moved this domain to its current customer, so another key or user must approve its changes.':
    'Anda yang memindahkan domain ini ke pelanggannya saat ini. Kunci API atau pengguna lain harus menyetujui perubahannya.',
  'Your parent reseller cannot cover this purchase at the moment. Nothing was charged.':
    'Reseller induk Anda sedang tidak dapat menanggung pembelian ini. Tidak ada yang dibebankan.',
  'Your passkeys belong to another address of this service. Sign in there.':
    'Kunci sandi Anda milik alamat lain dari layanan ini. Masuk di sana.',
  'Your role does not have the scope "{}".': 'Peran Anda tidak memiliki izin "{}".',
  '{} Choose another, such as a few words.': '{} Pilih yang lain, misalnya beberapa kata.',
  '{} also needs the scope {}.': '{} juga memerlukan izin {}.',
  '{} changes are already waiting for approval. Approve or reject some of them first.':
    '{} perubahan sudah menunggu persetujuan. Setujui atau tolak sebagian terlebih dahulu.',
  '{} invitations are open. Wait until one expires.':
    '{} undangan masih terbuka. Tunggu sampai salah satunya kedaluwarsa.',
  '{} is already credited.': '{} sudah dikredit.',
  '{} is already in your list.': '{} sudah ada di daftar Anda.',
  '{} is being credited by another request. Read it again.': '{} sedang dikredit oleh permintaan lain. Muat ulang.',
  '{} is not active, so no paid orders are possible. Nothing was charged.':
    '{} tidak aktif, sehingga pesanan berbayar tidak dapat dibuat. Tidak ada yang dibebankan.',
  '{} is used by another account as long as its DNS record exists. Remove that record; the host name is released after a few days.':
    '{} dipakai akun lain selama record DNS-nya ada. Hapus record itu; nama host dilepas setelah beberapa hari.',
  'Must be at most {} days ahead.': 'Maksimal {} hari ke depan.',
  'Must be the https URL of an image.': 'Harus berupa URL https dari sebuah gambar.',
  'Must be an address at an active domain of yours. {} is not one.':
    'Harus berupa alamat di domain aktif milik Anda. {} bukan domain seperti itu.',
  '{} cannot be suppressed. These can: {}.': '{} tidak dapat dinonaktifkan. Yang dapat: {}.',
  'The text of {} cannot be changed: it goes to the account itself and its users.':
    'Teks {} tidak dapat diubah: email ini dikirim kepada akun itu sendiri dan penggunanya.',
  'There is no custom text for this kind and language.': 'Belum ada teks khusus untuk jenis dan bahasa ini.',
};
