import type { Inputs } from '../api/shapes.ts';
import { asContactIds, type ContactAssignment, noContacts } from '../contacts/choose.tsx';
import { asciiOf } from '../data/idn.ts';
import { hostsIn } from '../domains/hosts.ts';
import { placesOf, textOf, wholeOf } from '../money/sums.ts';
import { currentSession } from '../session/current-session.ts';

export type Order = Inputs<'/domains', 'post'>['body'];
export type Bill = Order['invoice_option'];
export type Mode = Inputs<'/domains/{domain_id}/renewal_mode', 'put'>['body']['renewal_mode'];

/** One domain to order. */
export interface Line {
  readonly name: string;
  readonly years: number;
  /** The idempotency key of the order. */
  readonly key: string;
  /** The order as sent, until its outcome is known. Checking the status repeats the same order. */
  readonly sent?: Order;
  readonly operationId?: string;
  readonly domainId?: string;
  /** The order exists and waits for the customer's payment. */
  readonly isWaiting?: boolean;
}

/** The key of the draft that all windows of a user share, and of the lock for sending orders. */
export const cartName = 'domains/new';

/** The inputs of the page, stored as a draft. */
export interface Cart {
  readonly text: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly contacts: ContactAssignment;
  readonly nameservers: string;
  readonly withPrivacy: boolean;
  readonly mode: Mode | '';
  readonly bill: Bill;
  readonly lines: readonly Line[];
}

const emptyCart: Cart = {
  text: '',
  customerId: '',
  customerName: '',
  contacts: noContacts,
  nameservers: '',
  withPrivacy: false,
  mode: '',
  bill: 'no_invoice',
  lines: [],
};

/** A customer orders for themselves, from their balance. */
export const firstCart = (): Cart => {
  const session = currentSession.value;
  if (!session?.customer) return emptyCart;
  const { customer_id: customerId } = session.customer;
  return { ...emptyCart, customerId, customerName: session.person.name, bill: 'pay_invoice' };
};

export const newLine = (name: string): Line => ({ name, years: 1, key: crypto.randomUUID() });
export const isOrdered = (line: Line): boolean => line.operationId !== undefined || line.isWaiting === true;

export const mostNames = 50;
/** TLDs to check for a keyword, if they are on offer. */
export const usualEndings = ['com', 'net', 'org', 'id', 'co.id', 'shop', 'info', 'app'];

/** Keywords as typed or pasted: normalises digits, quotes, URLs and trailing dots. */
export function keywordsIn(text: string): string[] {
  const cleaned = text
    .normalize('NFKC')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/["'“”‘’«»<>()]/g, '')
    .toLowerCase();
  const found = cleaned
    .split(/[\s,;]+/)
    .map((each) => each.replace(/^[a-z]+:\/\//, '').replace(/[/?#].*$/, ''))
    .map((each) => each.replace(/^www\.(?=.+\.)/, '').replace(/^\.+|\.+$/g, ''))
    .filter((each) => each !== '');
  return [...new Set(found)];
}

/** Full domain names unchanged, keywords under each TLD, without duplicates. */
export function namesOf(text: string, endings: readonly string[]): string[] {
  const names = keywordsIn(text).flatMap((word) =>
    word.includes('.') ? [word] : endings.map((ending) => `${word}.${ending}`),
  );
  const seen = new Set<string>();
  return names.filter((name) => {
    const ascii = asciiOf(name) ?? name;
    return !seen.has(ascii) && seen.add(ascii);
  });
}

export const endingOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** Adds decimal texts of one currency without floats. */
export function sumOf(amounts: readonly string[]): string {
  const places = Math.max(0, ...amounts.map(placesOf));
  const sum = amounts.reduce((total, each) => total + wholeOf(each, places), 0n);
  return textOf(sum, places);
}

/** By how much a sum exceeds a balance; undefined if the balance covers the sum. */
export function shortfall(sum: string, balance: string): string | undefined {
  const places = Math.max(placesOf(sum), placesOf(balance));
  const missing = wholeOf(sum, places) - wholeOf(balance, places);
  return missing > 0n ? textOf(missing, places) : undefined;
}

export function orderOf(line: Line, cart: Cart, quoteId: string, withPrivacy: boolean): Order {
  const ns = hostsIn(cart.nameservers);
  return {
    domain_name: line.name,
    years: line.years,
    customer_id: cart.customerId,
    ...asContactIds(cart.contacts),
    ...(ns.length > 0 ? { ns } : {}),
    ...(withPrivacy ? { purchase_privacy_protection: true } : {}),
    invoice_option: cart.bill,
    quote_id: quoteId,
  };
}
