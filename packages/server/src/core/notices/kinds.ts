/** Every kind of notice: who gets it, when, and the facts that its text may name, each with an example. */

/** `holder`: the registrant of the name; `customer`: who is billed; `owner`: the reseller's own account; `person`: who signs in to it; `target`: who shall get forwarded mail. */
type Audience = 'holder' | 'customer' | 'owner' | 'person' | 'target';

/** `isOptional`: a reseller may leave it to itself to tell; the others are demanded by policy. */
const kind = <const F extends readonly (keyof typeof exampleFacts)[]>(
  audience: Audience,
  isOptional: boolean,
  when: string,
  ...facts: F
) => ({ audience, isOptional, when, facts });

/** What a fact looks like, for previews and for the guide. */
export const exampleFacts = {
  domain: 'example-shop.com',
  recipient: 'Sari Dewi',
  brand: 'Example Reseller',
  days: '7',
  expires_on: '30 November 2027',
  renew_by: '9 January 2028',
  renewal_price: '11.50 USD',
  restore_price: '80.00 USD',
  reason: 'the balance does not cover it',
  link: 'https://api.example.net/confirm/...',
  until: '15 December 2026',
  on_hold: 'yes',
  registrar: 'Another Registrar',
  former: 'Budi Santoso',
  present: 'Sari Dewi',
  record: 'Sari Dewi\nDewi Batik\nJalan Melati 5\nBandung 40111\nID\nsari@example-shop.com',
  invoice: 'INV-2026-00017',
  amount: '15.00 USD',
  due_on: '30 November 2026',
  reference: 'RF40407251936804',
  what: 'A new API key was made',
  label: 'billing panel',
  at: '16 November 2026 09:00 UTC',
  address: '192.0.2.10',
};

export type Fact = keyof typeof exampleFacts;

export const noticeKinds = {
  holder_verification: kind(
    'holder',
    false,
    'A name was registered, transferred in, or got a holder with another address that nobody has confirmed yet; once more half-way.',
    'domain',
    'link',
    'until',
    'on_hold',
  ),
  holder_unverified: kind(
    'holder',
    false,
    'The address was not confirmed in time, and the name was taken out of the DNS.',
    'domain',
    'link',
  ),
  domain_expiring: kind(
    'holder',
    false,
    'About 30 and about 7 days before the end of the term.',
    'domain',
    'days',
    'expires_on',
    'renew_by',
    'renewal_price',
    'restore_price',
  ),
  domain_expired: kind(
    'holder',
    false,
    'When the term is over, within 5 days.',
    'domain',
    'expires_on',
    'renew_by',
    'renewal_price',
    'restore_price',
  ),
  domain_interrupted: kind(
    'holder',
    false,
    'The last 8 days before an unpaid gTLD name is deleted have begun: it does not resolve until it is renewed.',
    'domain',
    'expires_on',
    'renew_by',
    'renewal_price',
    'restore_price',
  ),
  renewal_failed: kind(
    'owner',
    true,
    'An automatic renewal was tried and could not be carried out.',
    'domain',
    'reason',
    'expires_on',
    'renewal_price',
  ),
  auth_code_given: kind('holder', true, 'The code that lets a name go to another registrar was shown.', 'domain', 'at'),
  transfer_started: kind('holder', true, 'A transfer to us was ordered.', 'domain'),
  transfer_done: kind('holder', true, 'A transfer to us is complete.', 'domain', 'expires_on'),
  transfer_refused: kind('holder', true, 'A transfer to us was refused or given up.', 'domain', 'reason'),
  transfer_requested: kind('holder', false, 'Another registrar asked for the name.', 'domain', 'registrar', 'until'),
  transfer_ended: kind(
    'holder',
    true,
    'A transfer to another registrar was stopped; the name is still here.',
    'domain',
  ),
  transferred_away: kind('holder', false, 'The name went to another registrar.', 'domain', 'registrar'),
  move_offered: kind('holder', true, 'The name was offered to another reseller of the house.', 'domain', 'until'),
  moved_away: kind('holder', false, 'The name is with another reseller of the house now.', 'domain'),
  holder_change_asked: kind(
    'holder',
    false,
    'A change of the holder was ordered that both the present and the new one have to confirm; each is asked.',
    'domain',
    'former',
    'present',
    'link',
    'until',
  ),
  holder_changed: kind(
    'holder',
    false,
    'The holder of a name was changed; both the former and the present one are told.',
    'domain',
    'former',
    'present',
  ),
  data_reminder: kind(
    'holder',
    false,
    'Once a year: the data of the registration, and that they must be true.',
    'domain',
    'record',
  ),
  invoice_reminder: kind(
    'customer',
    true,
    'An invoice is not paid, on the days after its due date that you set; each once.',
    'invoice',
    'what',
    'amount',
    'due_on',
    'reference',
  ),
  mail_target: kind(
    'target',
    false,
    'Mail of a name shall be forwarded to an address whose owner has not agreed yet.',
    'domain',
    'link',
    'until',
  ),
  password_recovery: kind(
    'person',
    false,
    'Somebody who signs in to the account has forgotten its password and asked for a link.',
    'link',
    'until',
  ),
  user_invitation: kind(
    'person',
    false,
    'A user was invited to an account, or the first owner of an account has to prove its mailbox.',
    'link',
    'until',
    'label',
  ),
  account_security: kind(
    'owner',
    false,
    'A password was set, an API key was made, rotated or revoked, or something changed for people who sign in.',
    'what',
    'label',
    'at',
    'address',
  ),
} as const;

export type NoticeKind = keyof typeof noticeKinds;
export const noticeKindWords = Object.keys(noticeKinds) as NoticeKind[];

/** Facts of one kind; every text may also name who gets it and who sends it. */
export type FactsOf<K extends NoticeKind> = Readonly<
  Partial<Record<(typeof noticeKinds)[K]['facts'][number], FactValue | null>>
>;

export const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

/** A date is written as the language writes it; words of ours are given in each. */
export type FactValue = string | Date | Readonly<Record<Language, string>>;

/** Words that a text of this kind may name. */
export const wordsOf = (of: NoticeKind): readonly Fact[] => ['recipient', 'brand', ...noticeKinds[of].facts];

const locales = { en: 'en-GB', id: 'id-ID' };

/** A day, as the language writes it. */
export function dayText(at: Date, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

/** To accounts and to users the service speaks in its own words: an account that may be in the wrong hands does not choose what its owner is told. */
export const isForAccount = (kind: NoticeKind): boolean => ['owner', 'person'].includes(noticeKinds[kind].audience);
