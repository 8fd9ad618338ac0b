/** Indonesian texts of refusals about DNS and forwarding, by the English text. `{}` stands for a value; `{1}` for the first. */
export const dns: Readonly<Record<string, string>> = {
  '"{}" is not in the zone {}{}': '"{}" tidak ada di zona {}{}',
  'A catch-all without targets has no spam setting. Leave this field out.':
    'Catch-all tanpa tujuan tidak memiliki pengaturan spam. Kosongkan isian ini.',
  'A domain can have at most {} addresses.': 'Satu domain maksimal memiliki {} alamat.',
  'A domain can have at most {} rules.': 'Satu domain maksimal memiliki {} aturan.',
  'A zone above or below {} belongs to another account.': 'Zona di atas atau di bawah {} milik akun lain.',
  'A zone can have at most {} records.': 'Satu zona maksimal memiliki {} record.',
  'An account can have at most {} templates. Delete one first.':
    'Satu akun maksimal memiliki {} templat. Hapus satu terlebih dahulu.',
  'An address with action refuse has no targets. Leave this field out.':
    'Alamat yang menolak email tidak memiliki tujuan. Kosongkan isian ini.',
  'Contains a percent sign that is not an escape such as %20.': 'Ada tanda persen yang bukan kode seperti %20.',
  'Email for {} must be delivered somewhere (RFC 5321 4.5.1, RFC 2142).':
    'Email untuk {} harus dikirim ke suatu tujuan (RFC 5321 4.5.1, RFC 2142).',
  'Email forwarding is not offered: your provider has not set it up.':
    'Penerusan email tidak ditawarkan: penyedia Anda belum menyiapkannya.',
  'Must be @ for the domain itself, * for every other host, or labels such as www or a.b.':
    'Harus @ untuk domain itu sendiri, * untuk semua host lain, atau nama seperti www atau a.b.',
  'Must be ASCII before the @.': 'Harus ASCII sebelum tanda @.',
  'Must be an address of {}.': 'Harus berupa alamat di {}.',
  'Must be an email address such as name@example.com.': 'Harus berupa alamat email, misalnya name@example.com.',
  'Must be at most {} days before to. Request a shorter period, or several parts.':
    'Maksimal {} hari sebelum akhir periode. Minta periode yang lebih pendek, atau beberapa bagian.',
  'Must be at most {} days before to. Request a shorter period, or steps of a day.':
    'Maksimal {} hari sebelum akhir periode. Minta periode yang lebih pendek, atau langkah harian.',
  'Must be before to.': 'Harus sebelum akhir periode.',
  'Must be https if it is masked, because browsers block insecure frames.':
    'Harus https jika memakai masking, karena peramban memblokir frame yang tidak aman.',
  'Must be the value at the end of the previous page.': 'Harus berupa nilai di akhir halaman sebelumnya.',
  'Must begin with / and not contain ?, # or \\.': 'Harus diawali / dan tidak berisi ?, # atau \\.',
  'Must have at most {} addresses.': 'Maksimal {} alamat.',
  'Must have at most {} characters before the @.': 'Maksimal {} karakter sebelum tanda @.',
  'Must not be an address of the forwarding service itself.':
    'Tidak boleh berupa alamat layanan penerusan itu sendiri.',
  'Must not be at {} itself, because email would loop.': 'Tidak boleh di {} sendiri, karena email akan berputar.',
  'Must not contain *. A rule with match prefix covers its path and everything below it.':
    'Tidak boleh berisi *. Aturan dengan match prefix mencakup alamatnya dan semua di bawahnya.',
  'Must not contain more than one @.': 'Tidak boleh berisi lebih dari satu @.',
  'Must not include the domain name: send www, not the full name.':
    'Jangan sertakan nama domain: kirim www, bukan nama lengkap.',
  'Must not lead through more than {} forwarded addresses.':
    'Tidak boleh melewati lebih dari {} alamat yang diteruskan.',
  'Must not lead to more than {} forwarded addresses.': 'Tidak boleh menuju lebih dari {} alamat yang diteruskan.',
  'Must use a domain name, not an IP address in brackets.': 'Harus memakai nama domain, bukan alamat IP dalam kurung.',
  "Must use letters, digits and . _ + - = ' & ~ before the @, and begin with a letter or digit.":
    "Sebelum @ pakai huruf, angka, dan . _ + - = ' & ~, diawali huruf atau angka.",
  'No address forwards to {} any more.': 'Tidak ada lagi alamat yang meneruskan ke {}.',
  'Quoted local parts are not supported.': 'Bagian alamat dalam tanda kutip tidak didukung.',
  'The forwarding has version {}, not {}. Read it again.': 'Penerusan memiliki versi {}, bukan {}. Muat ulang.',
  'The history of the zone does not go back to {}.': 'Riwayat zona tidak sampai {}.',
  'The limit of {} such mails a day for one mailbox is reached. No mail was sent. Try again later.':
    'Batas {} email seperti ini per hari untuk satu kotak surat tercapai. Tidak ada email yang dikirim. Coba lagi nanti.',
  'The owner of {} has already confirmed.': 'Pemilik {} sudah mengonfirmasi.',
  'The owner of {} rejected email from here. The owner can confirm it through the link in an earlier email.':
    'Pemilik {} menolak email dari sini. Pemilik dapat mengonfirmasinya lewat tautan di email sebelumnya.',
  'The rule for {} {} would create a redirect loop: {}.': 'Aturan untuk {} {} akan membuat pengalihan berputar: {}.',
  'The template contains no {}.': 'Templat tidak berisi {}.',
  'The template has version {}. Read it again.': 'Templat memiliki versi {}. Muat ulang.',
  'The template was changed in the meantime and now has version {}.':
    'Templat sudah diubah dan sekarang memiliki versi {}.',
  'The template {} no longer exists or is no longer shared.': 'Templat {} tidak ada lagi atau tidak lagi dibagikan.',
  'The zone already has records where {} needs its own: {}. Choose to replace them (replace_records=true); they are restored when you remove {}.':
    'Zona sudah memiliki record di tempat {} memerlukan record sendiri: {}. Pilih untuk menggantinya (replace_records=true); record dikembalikan saat Anda menghapus {}.',
  'The zone has more than {} RRsets, which is too many for a template.':
    'Zona memiliki lebih dari {} RRset, terlalu banyak untuk sebuah templat.',
  'The zone has more than {} {} records. Read them in pages.':
    'Zona memiliki lebih dari {} record {}. Baca per halaman.',
  'The zone would have {} records, and at most {} are allowed.': 'Zona akan memiliki {} record, sedangkan maksimal {}.',
  'There is already a template "{}".': 'Sudah ada templat "{}".',
  'This field is required because nothing else is changed.': 'Isian ini wajib karena tidak ada hal lain yang diubah.',
  'This field is required because nothing is forwarded yet.': 'Isian ini wajib karena belum ada yang diteruskan.',
  'This field is required because the host has {} {} records.': 'Isian ini wajib karena host memiliki {} record {}.',
  'This field is required because there is no catch-all yet.': 'Isian ini wajib karena belum ada catch-all.',
  'This host and path already have a rule in this call.':
    'Host dan alamat ini sudah memiliki aturan dalam permintaan ini.',
  'This template {}. Save a copy of it and change the copy.':
    'Templat ini {}. Simpan salinannya, lalu ubah salinan itu.',
  'This value matches {} {} records. {}': 'Nilai ini cocok dengan {} record {}. {}',
  'URL forwarding is not offered: your provider has not set it up.':
    'Penerusan web tidak ditawarkan: penyedia Anda belum menyiapkannya.',
  'Use the catch-all for addresses that have no forwarding of their own.':
    'Pakai catch-all untuk alamat yang tidak memiliki penerusan sendiri.',
  'Your provider does not offer masking.': 'Penyedia Anda tidak menawarkan masking.',
  'Zone not found. The first record of {} creates it.': 'Zona tidak ditemukan. Record pertama {} membuatnya.',
  '{} DNSKEY: the registry has a DS record of this key only, so resolvers would reject the domain. Remove the DS record first, and the key after caches have expired.':
    'DNSKEY {}: registri hanya memiliki record DS kunci ini, sehingga resolver akan menolak domain. Hapus record DS dulu, dan kuncinya setelah cache habis.',
  '{} RRsets of the zone conflict, first {} {}. Send replace, merge or skip.':
    '{} RRset di zona bertentangan, pertama {} {}. Kirim replace, merge, atau skip.',
  '{} already has this {} record: {}': '{} sudah memiliki record {} ini: {}',
  '{} does not belong to this account now ({}), so its zone cannot be changed.':
    '{} sekarang bukan milik akun ini ({}), sehingga zonanya tidak dapat diubah.',
  '{} has {} DS record(s) at the registry, and {} may not have their keys. Resolvers would reject the domain. Force the change, or remove the DS records first.':
    '{1} memiliki {2} record DS di registri, dan {3} mungkin tidak memiliki kuncinya. Resolver akan menolak domain. Paksakan perubahan, atau hapus record DS terlebih dahulu.',
  '{} is listed twice.': '{} ditulis dua kali.',
  '{} is still delegated to {}, which would stop answering. Send confirm=true to delete the zone anyway.':
    '{} masih didelegasikan ke {}, yang akan berhenti menjawab. Kirim confirm=true untuk tetap menghapus zona.',
  '{} not found.': '{} tidak ditemukan.',
  '{} {} cannot coexist with the existing records. Send replace or skip.':
    '{} {} tidak dapat berdampingan dengan record yang ada. Kirim replace atau skip.',
  '{} {}: this account requires approval for {}; {}.': '{} {}: akun ini mewajibkan persetujuan untuk {}; {}.',
  '{}: {} is delegated to other nameservers by its NS records. Set up the forwarding there.':
    '{}: {} didelegasikan ke nameserver lain lewat record NS-nya. Atur penerusan di sana.',
  '{}@{} already exists.': '{}@{} sudah ada.',
  'This host has no such rule.': 'Host ini tidak memiliki aturan itu.',
  'The body is empty. Send the zone file as the body, as text/dns.':
    'Isi permintaan kosong. Kirim berkas zona sebagai isi, sebagai text/dns.',
  'Send either rrsets or from_domain_id.': 'Kirim rrsets atau from_domain_id, salah satu saja.',
  'Must be a string.': 'Harus berupa teks.',
  'Must be a whole number of seconds.': 'Harus berupa jumlah detik bulat.',
};
