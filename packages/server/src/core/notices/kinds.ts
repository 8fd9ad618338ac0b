import { formatMoney, type Money, money } from '@namehold/base';

/** Every kind of notice: its recipient, when it is sent, and the facts that its text may name, each with an example. */

/**
 * `registrant`: the registrant of the domain; `customer`: the billed customer; `owner`: the reseller's own account; `user`: a user of
 * it; `target`: the recipient of forwarded mail.
 */
type Audience = 'holder' | 'customer' | 'owner' | 'person' | 'target';

/** `isOptional`: a reseller may send it itself instead; the others are required by policy. */
const kind = <const F extends readonly (keyof typeof exampleFacts)[]>(
  audience: Audience,
  isOptional: boolean,
  when: string,
  ...facts: F
) => ({ audience, isOptional, when, facts });

/** Sample facts, for previews and for the guide. */
export const exampleFacts = {
  domain: 'example-shop.com',
  recipient: 'Sari Dewi',
  brand: 'Example Reseller',
  days: '7',
  expires_on: new Date('2027-11-30T00:00:00Z'),
  renew_by: new Date('2028-01-09T00:00:00Z'),
  renewal_price: amountFact(money(1_150n, 'USD')),
  restore_price: amountFact(money(8_000n, 'USD')),
  restore_renewal_price: amountFact(money(1_150n, 'USD')),
  reason: 'The balance does not cover this purchase.',
  link: 'https://api.example.net/confirm/...',
  until: new Date('2026-12-15T00:00:00Z'),
  on_hold: 'yes',
  registrar: 'Another Registrar',
  former: 'Budi Santoso',
  present: 'Sari Dewi',
  record: 'Sari Dewi\nDewi Batik\nJalan Melati 5\nBandung 40111\nIndonesia\nsari@example-shop.com',
  invoice: 'INV-2026-00017',
  amount: amountFact(money(1_500n, 'USD')),
  due_on: new Date('2026-11-30T00:00:00Z'),
  reference: 'RF40407251936804',
  what: 'A new API key was created',
  label: 'billing panel',
  at: '16 November 2026 09:00 UTC',
  address: '192.0.2.10',
  note: 'If the same key or user repeats this within 24 hours, no other mail is sent.',
  forwarded: 'info@example-shop.com',
};

type Fact = keyof typeof exampleFacts;

export const noticeKinds = {
  holder_verification: kind(
    'holder',
    false,
    'A domain was registered or transferred in, or has a registrant whose email address is not confirmed. Sent again halfway to the deadline.',
    'domain',
    'link',
    'until',
    'on_hold',
  ),
  holder_unverified: kind(
    'holder',
    false,
    'The email address was not confirmed in time and the domain was suspended.',
    'domain',
    'link',
  ),
  domain_expiring: kind(
    'holder',
    false,
    'About 30 days and about 7 days before the domain expires.',
    'domain',
    'days',
    'expires_on',
    'renew_by',
    'renewal_price',
    'restore_price',
    'restore_renewal_price',
  ),
  domain_expired: kind(
    'holder',
    false,
    'Within 5 days after the domain expires.',
    'domain',
    'expires_on',
    'renew_by',
    'renewal_price',
    'restore_price',
    'restore_renewal_price',
  ),
  domain_interrupted: kind(
    'holder',
    false,
    'An expired gTLD domain will be deleted within 8 days. It does not resolve until it is renewed.',
    'domain',
    'expires_on',
    'renew_by',
    'renewal_price',
    'restore_price',
    'restore_renewal_price',
  ),
  renewal_failed: kind(
    'owner',
    true,
    'An automatic renewal failed.',
    'domain',
    'reason',
    'expires_on',
    'renewal_price',
  ),
  auth_code_given: kind('holder', true, 'The auth code was shown.', 'domain', 'at'),
  transfer_started: kind('holder', true, 'A transfer to us was requested.', 'domain'),
  transfer_done: kind('holder', true, 'A transfer to us is complete.', 'domain', 'expires_on'),
  transfer_refused: kind('holder', true, 'A transfer to us was refused or cancelled.', 'domain', 'reason'),
  transfer_requested: kind(
    'holder',
    false,
    'Another registrar requested a transfer of the domain.',
    'domain',
    'registrar',
    'until',
  ),
  transfer_ended: kind(
    'holder',
    true,
    'A transfer to another registrar was stopped. The domain remains with us.',
    'domain',
  ),
  transferred_away: kind('holder', false, 'The domain was transferred to another registrar.', 'domain', 'registrar'),
  move_offered: kind('holder', true, 'The domain was offered to another reseller of this service.', 'domain', 'until'),
  moved_away: kind('holder', false, 'The domain was moved to another reseller of this service.', 'domain'),
  holder_change_asked: kind(
    'holder',
    false,
    'A change of registrant was ordered. The current and the new registrant must both confirm it, and each receives this mail.',
    'domain',
    'former',
    'present',
    'link',
    'until',
  ),
  holder_changed: kind(
    'holder',
    false,
    'The registrant of a domain was changed. The previous and the new registrant both receive this mail.',
    'domain',
    'former',
    'present',
  ),
  data_reminder: kind(
    'holder',
    false,
    'Once a year: shows the registration data and asks the registrant to check it.',
    'domain',
    'record',
  ),
  invoice_reminder: kind(
    'customer',
    true,
    'An invoice is overdue. Sent once on each of the days after the due date that you set.',
    'invoice',
    'what',
    'amount',
    'due_on',
    'reference',
  ),
  mail_target: kind(
    'target',
    false,
    'Email of a domain is to be forwarded to an address that has not approved it yet.',
    'domain',
    'forwarded',
    'link',
    'until',
  ),
  password_recovery: kind('person', false, 'A user of the account requested a password reset.', 'link', 'until'),
  user_invitation: kind(
    'person',
    false,
    'A user was invited to an account, or the first owner of an account must confirm the email address.',
    'link',
    'until',
    'label',
  ),
  account_security: kind(
    'owner',
    false,
    'A password was set, an API key was created, rotated or revoked, or a user or sign-in setting changed.',
    'what',
    'label',
    'at',
    'address',
    'note',
  ),
} as const;

export type NoticeKind = keyof typeof noticeKinds;
export const noticeKindNames = Object.keys(noticeKinds) as NoticeKind[];

/** Facts of one kind; every text may also name the recipient and the sender. */
export type FactsOf<K extends NoticeKind> = Readonly<
  Partial<Record<(typeof noticeKinds)[K]['facts'][number], FactValue | null>>
>;

export const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

/** A date is formatted in the language of the text; own terms are given in each language. */
export type FactValue = string | Date | Readonly<Record<Language, string>>;

/** Placeholders that a text of this kind may use. */
export const variablesOf = (of: NoticeKind): readonly Fact[] => ['recipient', 'brand', ...noticeKinds[of].facts];

const locales = { en: 'en-GB', id: 'id-ID' };

/** A day, formatted in the language. */
export function dayText(at: Date, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

/** An amount, formatted in each language. */
export function amountFact(amount: Money): Readonly<Record<Language, string>> {
  const text = formatMoney(amount);
  return { en: `${text} ${amount.currency}`, id: `${amount.currency} ${text.replace('.', ',')}` };
}

/** Mail to accounts and users uses only default texts: a hijacked account must not choose what its owner reads. */
export const isForAccount = (kind: NoticeKind): boolean => ['owner', 'person'].includes(noticeKinds[kind].audience);
