import type { Inputs } from '../api/shapes.ts';
import { keywordsIn } from '../buy/cart.ts';
import type { Party } from '../buy/fields.tsx';
import { asContactIds, noContacts } from '../contacts/choose.tsx';
import { asciiOf } from '../data/idn.ts';
import { hostsIn } from '../domains/hosts.ts';

export type Order = Inputs<'/domains/transfer', 'post'>['body'];
/** An order without its auth code, which is not stored. */
type Kept = Omit<Order, 'auth_code'>;

/** One domain to transfer. */
export interface Line {
  readonly name: string;
  /** The idempotency key of the order. */
  readonly key: string;
  /** The order as sent, without its code, until the outcome is known. */
  readonly sent?: Kept;
  readonly operationId?: string;
  readonly domainId?: string;
  /** The order exists and waits for the customer's payment. */
  readonly isWaiting?: boolean;
}

/** The stored inputs of the page. Auth codes are secret and are not stored. */
export interface TransferDraft extends Party {
  readonly nameservers: string;
  readonly lines: readonly Line[];
}

export const nothingWanted: TransferDraft = {
  customerId: '',
  customerName: '',
  contacts: noContacts,
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

/** One domain per line, followed by its code. A code can contain any character. */
export function namesIn(text: string): Typed[] {
  const found = new Map<string, Typed>();
  for (const line of text.split('\n')) {
    const [first = '', code = ''] = line.trim().split(/[\s,;]+(.*)/s);
    const keyword = keywordsIn(first)[0];
    if (!keyword) continue;
    const name = asciiOf(keyword) ?? keyword;
    found.set(name, { name, code: code.trim() });
  }
  return [...found.values()].slice(0, mostNames);
}

/** Adds domains without duplicates; lines with an order stay unchanged. */
export function withNames(lines: readonly Line[], typed: readonly Typed[]): Line[] {
  const fresh = typed.filter(({ name }) => !lines.some((line) => line.name === name));
  return [...lines, ...fresh.map(({ name }) => ({ name, key: crypto.randomUUID() }))].slice(0, mostNames);
}

export function orderOf(line: Line, wanted: TransferDraft, quoteId: string): Kept {
  const ns = hostsIn(wanted.nameservers);
  return {
    domain_name: line.name,
    customer_id: wanted.customerId,
    ...asContactIds(wanted.contacts),
    ...(ns.length > 0 ? { ns } : {}),
    invoice_option: wanted.bill,
    quote_id: quoteId,
  };
}
