import { account } from './refusals/account-id.ts';
import { common } from './refusals/common-id.ts';
import { dns } from './refusals/dns-id.ts';
import { domains } from './refusals/domains-id.ts';
import { operator } from './refusals/operator-id.ts';
import { parts } from './refusals/parts-id.ts';

/** Meanings of error codes. The message of the service is shown below, because it can be more specific. */
export const refusals: Readonly<Record<string, string>> = {
  invalid_argument: 'Ada isian yang salah atau belum diisi.',
  invalid_body: 'Isi permintaan tidak dapat dibaca.',
  not_available_yet: 'Fitur ini belum tersedia.',
  unauthorized: 'Kredensial salah atau tidak ada.',
  insufficient_funds: 'Saldo tidak cukup untuk pembelian ini.',
  ip_not_allowed: 'Kunci API ini tidak boleh dipakai dari alamat ini.',
  foreign_page: 'Permintaan dari situs lain ditolak.',
  session_required: 'Masuk terlebih dahulu untuk melakukan ini.',
  reauthentication_required: 'Konfirmasi identitas Anda terlebih dahulu.',
  factor_required: 'Akun ini mewajibkan autentikasi dua faktor.',
  scope_missing: 'Anda tidak memiliki izin untuk ini.',
  account_suspended: 'Akun reseller ini ditangguhkan.',
  operator_only: 'Hanya operator yang boleh melakukan ini.',
  not_found: 'Tidak ditemukan.',
  request_timeout: 'Waktu tunggu permintaan habis.',
  conflict: 'Status saat ini tidak mengizinkan ini.',
  already_exists: 'Data ini sudah ada.',
  in_use: 'Data ini masih dipakai.',
  managed_record: 'Record ini dikelola oleh layanan kami.',
  operation_in_progress: 'Operasi lain pada domain ini masih berjalan.',
  idempotency_in_flight: 'Permintaan yang sama masih diproses.',
  idempotency_mismatch: 'Permintaan ini pernah dikirim dengan isi yang berbeda.',
  precondition_failed: 'Data berubah sejak Anda membukanya.',
  precondition_required: 'Versi data yang diubah harus disertakan.',
  body_too_large: 'Isi permintaan terlalu besar.',
  rate_limited: 'Terlalu banyak permintaan.',
  internal: 'Terjadi kesalahan di pihak kami.',
  overloaded: 'Layanan sedang sibuk. Permintaan tidak diproses.',
  unavailable: 'Layanan sedang tidak tersedia.',
  registry_unavailable: 'Registri tidak dapat dijangkau. Tidak ada yang dipesan.',
  domain_not_available: 'Domain ini tidak tersedia.',
  tld_not_offered: 'TLD ini tidak ditawarkan.',
  price_not_set: 'Belum ada harga untuk ini dalam mata uang Anda.',
  price_guard: 'Harga melebihi batas dalam permintaan ini.',
  price_guard_required: 'Domain premium memerlukan batas harga.',
  quote_expired: 'Penawaran harga itu sudah tidak berlaku.',
  already_renewed: 'Tanggal berakhir domain berbeda dari yang ada di pesanan.',
  domain_blocked: 'Status domain tidak mengizinkan ini.',
  transfer_not_possible: 'Domain ini belum dapat ditransfer.',
  registry_refused: 'Registri menolak perintah ini.',
};

/** The texts of refusals by their English text; the check of messages compares them with the service. */
export const refusalTexts: Readonly<Record<string, string>> = {
  ...common,
  ...account,
  ...domains,
  ...dns,
  ...operator,
};

interface Pattern {
  readonly matches: RegExp;
  readonly text: string;
}

const literal = (template: string) => template.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The longest texts first: a short one such as `{} already exists.` matches many. */
const patterns: readonly Pattern[] = Object.entries(refusalTexts)
  .filter(([template]) => template.includes('{}'))
  .sort(([a], [b]) => b.replaceAll('{}', '').length - a.replaceAll('{}', '').length)
  .map(([template, text]) => ({
    matches: new RegExp(`^${template.split('{}').map(literal).join('(.*?)')}$`, 's'),
    text,
  }));

/** Fills the values of an English text into the Indonesian one. */
function fill(text: string, values: readonly string[]): string {
  let next = 0;
  return text.replaceAll(/\{(\d?)\}/g, (_, place: string) => {
    const value = values[place === '' ? next++ : Number(place) - 1] ?? '';
    return parts[value] ?? textOf(value) ?? value;
  });
}

/** The Indonesian text of an English refusal; undefined if there is none. */
export function textOf(message: string): string | undefined {
  if (message in refusalTexts) return refusalTexts[message];
  for (const { matches, text } of patterns) {
    const found = matches.exec(message);
    if (found) return fill(text, found.slice(1));
  }
  return undefined;
}
