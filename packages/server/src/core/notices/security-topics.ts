import { type Access, accessLevels } from '../model/customer-access.ts';
import type { FactValue, Language } from './kinds.ts';

/** The access levels as the console calls them. */
export const levelNames: Readonly<Record<Access, Readonly<Record<Language, string>>>> = {
  none: { en: 'No access', id: 'Tidak ada akses' },
  read: { en: 'View only', id: 'Hanya lihat' },
  dns: { en: 'View and edit DNS', id: 'Lihat dan ubah DNS' },
  manage: { en: 'Manage domains', id: 'Kelola domain' },
  order: { en: 'Manage and order', id: 'Kelola dan pesan' },
};

/**
 * What a warning to the owner is about. Each topic has its own daily limit. Each access level is a topic: a key can use up only the
 * warnings about levels that it may grant.
 */
export type SecurityTopic =
  | 'keys'
  | 'users'
  | 'account_password'
  | 'payment_details'
  | 'host_names'
  | 'address_change'
  | 'customer_reduced'
  | `customer_${Access}`;

const customerTopics = Object.fromEntries(
  accessLevels.map((level) => [
    `customer_${level}`,
    { en: `customer access “${levelNames[level].en}”`, id: `akses pelanggan “${levelNames[level].id}”` },
  ]),
) as Record<`customer_${Access}`, Record<Language, string>>;

const names: Readonly<Record<SecurityTopic, Readonly<Record<Language, string>>>> = {
  keys: { en: 'API keys', id: 'kunci API' },
  users: { en: 'users', id: 'pengguna' },
  account_password: { en: 'temporary passwords of the account', id: 'kata sandi sementara akun' },
  payment_details: { en: 'payment details', id: 'data pembayaran' },
  host_names: { en: 'host names', id: 'nama host' },
  address_change: { en: 'email addresses of the account', id: 'alamat email akun' },
  customer_reduced: { en: 'reduced customer access', id: 'pengurangan akses pelanggan' },
  ...customerTopics,
};

export const isSecurityTopic = (purpose: string | null | undefined): purpose is SecurityTopic =>
  purpose !== null && purpose !== undefined && Object.hasOwn(names, purpose);

/** The last mail about a topic in a day has a limit of its own. */
export type LimitPurpose = `limit:${SecurityTopic}`;

export const isLimitPurpose = (purpose: string | null | undefined): purpose is LimitPurpose =>
  purpose?.startsWith('limit:') ?? false;

/** The facts of that mail. */
export const limitReached = (topic: SecurityTopic): { readonly what: FactValue; readonly label: FactValue } => ({
  what: {
    en: 'The daily limit of security mails was reached',
    id: 'Batas harian email keamanan telah tercapai',
  },
  label: {
    en: `no further mails about ${names[topic].en} are sent for 24 hours. The activity log lists all changes`,
    id: `email tentang ${names[topic].id} tidak dikirim lagi selama 24 jam. Log aktivitas mencatat semua perubahan`,
  },
});

export const repeatsNote: FactValue = {
  en: 'If the same key or user repeats this within 24 hours, no other mail is sent.',
  id: 'Jika kunci atau pengguna yang sama mengulanginya dalam 24 jam, tidak ada email lain yang dikirim.',
};
