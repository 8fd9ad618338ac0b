import type { Inputs } from '../api/shapes.ts';
import { wordsIn } from '../buy/basket.ts';
import type { Party } from '../buy/fields.tsx';
import { inWire, nobody } from '../contacts/choose.tsx';
import { asciiOf } from '../data/idn.ts';
import { hostsIn } from '../domains/hosts.ts';

export type Order = Inputs<'/domains/transfer', 'post'>['body'];
/** An order as the draft keeps it: its code is on the page alone. */
type Kept = Omit<Order, 'auth_code'>;

/** One name that shall come. */
export interface Line {
  readonly name: string;
  /** One order, however often it is sent. */
  readonly key: string;
  /** What was sent under the key until its outcome is known, without its code. */
  readonly sent?: Kept;
  readonly operationId?: string;
  readonly domainId?: string;
  /** The order is there and waits for the customer to pay. */
  readonly isWaiting?: boolean;
}

/** Everything typed on the page that may be kept: codes are secrets, and stay on the page. */
export interface Wanted extends Party {
  readonly nameservers: string;
  readonly lines: readonly Line[];
}

export const nothingWanted: Wanted = {
  customerId: '',
  customerName: '',
  contacts: nobody,
  bill: 'no_invoice',
  nameservers: '',
  lines: [],
};

export const mostNames = 50;
export const isOrdered = (line: Line): boolean => line.operationId !== undefined || line.isWaiting === true;

export interface Typed {
  readonly name: string;
  readonly code: string;
}

/** A name a line, and behind it its code, as it is: a code may hold any sign. */
export function namesIn(text: string): Typed[] {
  const found = new Map<string, Typed>();
  for (const line of text.split('\n')) {
    const [first = '', code = ''] = line.trim().split(/[\s,;]+(.*)/s);
    const word = wordsIn(first)[0];
    if (!word) continue;
    const name = asciiOf(word) ?? word;
    found.set(name, { name, code: code.trim() });
  }
  return [...found.values()].slice(0, mostNames);
}

/** Each name once; an order that is there already stays as it is. */
export function withNames(lines: readonly Line[], typed: readonly Typed[]): Line[] {
  const fresh = typed.filter(({ name }) => !lines.some((line) => line.name === name));
  return [...lines, ...fresh.map(({ name }) => ({ name, key: crypto.randomUUID() }))].slice(0, mostNames);
}

export function orderOf(line: Line, wanted: Wanted, quoteId: string): Kept {
  const ns = hostsIn(wanted.nameservers);
  return {
    domain_name: line.name,
    customer_id: wanted.customerId,
    ...inWire(wanted.contacts),
    ...(ns.length > 0 ? { ns } : {}),
    invoice_option: wanted.bill,
    quote_id: quoteId,
  };
}
