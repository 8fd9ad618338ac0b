/** Indonesian texts of refusals about fields and names, by the English text. `{}` stands for a value; `{1}` for the first. */
export const common: Readonly<Record<string, string>> = {
  '"{}" contains characters that would be replaced by others. Enter the final form.':
    '"{}" berisi karakter yang akan diganti dengan karakter lain. Masukkan bentuk akhirnya.',
  '"{}" must contain only letters, digits and hyphens.': '"{}" hanya boleh berisi huruf, angka, dan tanda hubung.',
  '"{}" must not begin or end with a hyphen.': '"{}" tidak boleh diawali atau diakhiri tanda hubung.',
  '"{}" must not have hyphens in the third and fourth position.':
    '"{}" tidak boleh memiliki tanda hubung di posisi ketiga dan keempat.',
  'A label must have at most {} bytes.': 'Setiap bagian nama maksimal {} byte.',
  'A name contains only letters, digits, hyphens and dots, not {}.':
    'Nama hanya boleh berisi huruf, angka, tanda hubung, dan titik, bukan {}.',
  'A name must have at most {} bytes.': 'Nama maksimal {} byte.',
  'Contains an entry that is not valid.': 'Berisi entri yang tidak benar.',
  'Contains characters that cannot be stored.': 'Berisi karakter yang tidak dapat disimpan.',
  'Enter a full host name, for example ns1.example.com.': 'Masukkan nama host lengkap, misalnya ns1.example.com.',
  'Enter a host name, not an IP address.': 'Masukkan nama host, bukan alamat IP.',
  'Must be UNIX seconds, YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.':
    'Harus berupa detik UNIX, YYYY-MM-DD, atau YYYY-MM-DD HH:MM:SS.',
  'Must be a decimal id.': 'Harus berupa ID desimal.',
  'Must be a single value.': 'Harus berupa satu nilai.',
  'Must be a time such as 2027-01-31T12:00:00Z.': 'Harus berupa waktu seperti 2027-01-31T12:00:00Z.',
  'Must be a whole number from {} to {}.': 'Harus bilangan bulat dari {} sampai {}.',
  'Must be an amount such as 150.00, not negative.': 'Harus berupa jumlah seperti 150.00, tidak negatif.',
  'Must be one of {}.': 'Harus salah satu dari {}.',
  'Must be true or false (1 or 0).': 'Harus true atau false (1 atau 0).',
  'Must contain letters or digits, and no invisible characters.':
    'Harus berisi huruf atau angka, dan tanpa karakter tak terlihat.',
  'Must have at least {} characters.': 'Minimal {} karakter.',
  'Must have at most {} characters.': 'Maksimal {} karakter.',
  'Must have at most {} entries.': 'Maksimal {} entri.',
  'The format is not valid.': 'Formatnya tidak benar.',
  'The name has an empty label.': 'Ada bagian nama yang kosong.',
  'The name is empty.': 'Nama kosong.',
  'The name is too long.': 'Nama terlalu panjang.',
  'This field is required.': 'Isian ini wajib.',
  'This is not a parameter of this call.': 'Ini bukan parameter panggilan ini.',
  'This object has changed since you read it. Read it again and repeat the change.':
    'Data ini berubah sejak Anda membukanya. Muat ulang, lalu ulangi perubahannya.',
  'Too many failed authentication attempts. Try again later.':
    'Terlalu banyak autentikasi yang gagal. Coba lagi nanti.',
  'Your session has ended. Sign in again.': 'Sesi Anda sudah berakhir. Masuk lagi.',
  '{}{} not found.': '{}{} tidak ditemukan.',
};
