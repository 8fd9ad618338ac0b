/** Indonesian texts of refusals about upstreams, by the English text. `{}` stands for a value. */
export const operator: Readonly<Record<string, string>> = {
  'Another account is connected as {}. Choose another id.': 'Akun lain sudah terhubung sebagai {}. Pilih nama lain.',
  'Must be an ISO 4217 currency code such as EUR.': 'Harus berupa kode mata uang ISO 4217, misalnya EUR.',
  'Name at least one TLD.': 'Sebutkan minimal satu TLD.',
  'Other accounts are being tested. Try again in some seconds.':
    'Akun lain sedang diuji. Coba lagi dalam beberapa detik.',
  'Other hosts and ports are connected with namehold registry add --upstream.':
    'Host dan port lain dihubungkan dengan namehold registry add --upstream.',
  'Plain HTTP is allowed only to this machine.': 'HTTP tanpa enkripsi hanya diizinkan ke mesin ini.',
  'The account cannot sell {}.': 'Akun ini tidak dapat menjual {}.',
  'The prices have changed since the preview. Nothing was stored. Look at the new preview.':
    'Harga berubah sejak peninjauan. Tidak ada yang disimpan. Lihat peninjauan yang baru.',
  'This service does not list its TLDs. Name them.': 'Layanan ini tidak melaporkan TLD-nya. Sebutkan TLD-nya.',
  '{} has no host of its own: state it.': '{} tidak memiliki host sendiri. Isi host-nya.',
  '{} has no test system that can be used here.': '{} tidak memiliki sistem uji yang dapat dipakai di sini.',
  '{} needs the {}.': '{} memerlukan {}.',
  '{} refused the test: {}. {}': '{} menolak pengujian: {}. {}',
  '{} refused the test: {}. {} Nothing was stored.': '{} menolak pengujian: {}. {} Tidak ada yang disimpan.',
};
