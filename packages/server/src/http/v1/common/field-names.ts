import { formatMoney, type Money } from '@namehold/base';
import { contractTime } from '../../wire.ts';

/** Core field names for which the contract has another name. All others only differ in case. */
const contractNames = new Map<string, string>(
  Object.entries({
    nameservers: 'ns',
    registrant: 'registrant_contact_id',
    admin: 'admin_contact_id',
    tech: 'tech_contact_id',
    billing: 'billing_contact_id',
    customer: 'customer_id',
    reseller: 'reseller_id',
    quote: 'quote_id',
    transaction: 'transaction_id',
    transactions: 'transaction_id',
    whitelist: 'ip_whitelist',
    eligibility: 'eligibility_criteria',
    host: 'hostname',
    hostAddress: 'ip_address',
    digestType: 'digesttype',
    privacy: 'privacy_protection',
    country: 'country_code',
    postalCode: 'zipcode',
    phone: 'tel_no',
    secondPhone: 'alt_tel_no',
    mobile: 'mobile_no',
    fax: 'fax_no',
    receipts: 'totalreceipts',
    receiptsFrom: 'total_receipts_start',
    receiptsTo: 'total_receipts_end',
  }),
);

/** The same for the facts of a refusal. */
const contractFacts = new Map([['expires', 'expected_current_date']]);

const inSnakeCase = (word: string) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const wireName = (field: string): string => contractNames.get(field) ?? inSnakeCase(field);

type CoreName<Word> = Word extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CoreName<Rest> & string>}`
  : Word;
export type WithCoreNames<Fields> = { [Name in keyof Fields as CoreName<Name>]: Fields[Name] };

/** Field names that differ from those of the core only in case. */
export function withCoreNames<Fields extends object>(fields: Fields): WithCoreNames<Fields> {
  const inCamelCase = (word: string) => word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [inCamelCase(name), value]),
  ) as WithCoreNames<Fields>;
}

/** Replaces the field name at the beginning of a message by the name that the caller sent. */
export function ledBy(wireNameOf: (field: string) => string, sentence: string, field: string | undefined): string {
  const isLed = field !== undefined && sentence.startsWith(`${field}: `);
  return isLed ? `${wireNameOf(field)}${sentence.slice(field.length)}` : sentence;
}

/** Facts of a refusal, as additional keys of its body. */
export function factsWithWireNames(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const wireNameOf = (name: string) => contractFacts.get(name) ?? inSnakeCase(name);
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [wireNameOf(name), shown(value)]));
}

const isMoney = (value: unknown): value is Money => typeof (value as Money | null)?.amount === 'bigint';

function shown(value: unknown): unknown {
  if (value instanceof Date) return contractTime(value);
  return isMoney(value) ? { amount: formatMoney(value), currency: value.currency } : value;
}
