import type { Inputs } from '../api/shapes.ts';
import { type Assigned, inWire, nobody } from '../contacts/choose.tsx';
import { asciiOf } from '../data/idn.ts';
import { hostsIn } from '../domains/hosts.ts';
import { who } from '../session/who.ts';

export type Order = Inputs<'/domains', 'post'>['body'];
export type Bill = Order['invoice_option'];
export type Mode = Inputs<'/domains/{domain_id}/renewal_mode', 'put'>['body']['renewal_mode'];

/** One name that is wanted. */
export interface Line {
  readonly name: string;
  readonly years: number;
  /** One order, however often it is sent. */
  readonly key: string;
  /** What was sent under the key, word for word, until its outcome is known: it is asked for with the same words. */
  readonly sent?: Order;
  readonly operationId?: string;
  readonly domainId?: string;
  /** The order is there and waits for the customer to pay. */
  readonly isWaiting?: boolean;
}

/** The draft that all windows of a person share, and the lock under which one of them orders. */
export const basketName = 'domains/new';

/** Everything typed on the page; the draft keeps it. */
export interface Basket {
  readonly text: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly contacts: Assigned;
  readonly nameservers: string;
  readonly withPrivacy: boolean;
  readonly mode: Mode | '';
  readonly bill: Bill;
  readonly lines: readonly Line[];
}

const emptyBasket: Basket = {
  text: '',
  customerId: '',
  customerName: '',
  contacts: nobody,
  nameservers: '',
  withPrivacy: false,
  mode: '',
  bill: 'no_invoice',
  lines: [],
};

/** A customer orders for itself, from its balance. */
export const firstBasket = (): Basket => {
  const session = who.value;
  if (!session?.customer) return emptyBasket;
  const { customer_id: customerId } = session.customer;
  return { ...emptyBasket, customerId, customerName: session.person.name, bill: 'pay_invoice' };
};

export const newLine = (name: string): Line => ({ name, years: 1, key: crypto.randomUUID() });
export const isOrdered = (line: Line): boolean => line.operationId !== undefined || line.isWaiting === true;

export const mostNames = 50;
/** Where a word without an ending is looked for; the first of those on offer. */
export const usualEndings = ['com', 'net', 'org', 'id', 'co.id', 'shop', 'info', 'app'];

/** Words as they are typed or pasted: other digits and quotes, addresses of pages, dots at the end. */
export function wordsIn(text: string): string[] {
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

/** Whole names as they are, words under each ending; no name twice, however it is written. */
export function namesOf(text: string, endings: readonly string[]): string[] {
  const names = wordsIn(text).flatMap((word) =>
    word.includes('.') ? [word] : endings.map((ending) => `${word}.${ending}`),
  );
  const seen = new Set<string>();
  return names.filter((name) => {
    const ascii = asciiOf(name) ?? name;
    return !seen.has(ascii) && seen.add(ascii);
  });
}

export const endingOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** Decimal texts of one currency, added without a float. */
export function sumOf(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map((each) => each.split('.')[1]?.length ?? 0));
  const whole = (each: string) => {
    const [before = '0', after = ''] = each.split('.');
    return BigInt(before + after.padEnd(digits, '0'));
  };
  const total = amounts.reduce((sum, each) => sum + whole(each), 0n).toString();
  if (digits === 0) return total;
  const padded = total.padStart(digits + 1, '0');
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

export function orderOf(line: Line, basket: Basket, quoteId: string, withPrivacy: boolean): Order {
  const ns = hostsIn(basket.nameservers);
  return {
    domain_name: line.name,
    years: line.years,
    customer_id: basket.customerId,
    ...inWire(basket.contacts),
    ...(ns.length > 0 ? { ns } : {}),
    ...(withPrivacy ? { purchase_privacy_protection: true } : {}),
    invoice_option: basket.bill,
    quote_id: quoteId,
  };
}
