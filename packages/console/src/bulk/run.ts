import { type Answered, call, type Manner } from '../api/call.ts';
import type { Inputs, Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { operationOf } from '../domains/change.ts';
import type { Quote } from '../domains/quote.ts';

export const verbs = ['renew', 'lock', 'unlock', 'mode', 'ns'] as const;
export type Verb = (typeof verbs)[number];
export type Mode = Inputs<'/domains/{domain_id}/renewal_mode', 'put'>['body']['renewal_mode'];

/** How many at once: each is a call of its own. */
export const mostNames = 100;

/** What is typed once for all of them. */
export interface Terms {
  readonly years: number;
  readonly reason: string;
  readonly mode: Mode;
  readonly hosts: readonly string[];
}

/** One name, and what came of it. */
export interface Item {
  readonly name: string;
  readonly domainId: string;
  /** When it ended as it was chosen: a renewal that came meanwhile is not paid for twice. */
  readonly expires: string;
  /** One order, however often it is sent. */
  readonly key: string;
  /** `open`: the order is there and goes on by itself. */
  readonly state: 'ready' | 'sent' | 'open' | 'done' | 'refused' | 'unknown';
  /** What was sent under the key, until its outcome is known: it is asked about with the same words. */
  readonly sent?: Sent;
  readonly message?: string;
  /** What was agreed to. */
  readonly price?: Quote['total'];
  readonly years?: number;
  readonly operationId?: string;
}

interface Sent {
  readonly terms: Terms;
  readonly quoteId?: string;
}

/** One verb for several names; the draft keeps it, so that no outcome is lost with the page. */
export interface Run {
  readonly verb: Verb;
  readonly items: readonly Item[];
}

export const itemOf = (row: Shape<'Domain'>): Item => ({
  name: row.domain_name,
  domainId: row.domain_id,
  expires: row.expiry_date ?? '',
  key: crypto.randomUUID(),
  state: 'ready',
});

/** Refused, and known to be: as another order it may be tried once more. A renewal that somebody else made is none. */
export const ready = (item: Item): Item => ({
  name: item.name,
  domainId: item.domainId,
  expires: item.expires,
  key: crypto.randomUUID(),
  state: 'ready',
});

export const sentAs = (item: Item, terms: Terms, quote: Quote | undefined): Item => ({
  ...item,
  state: 'sent',
  sent: { terms, ...(quote ? { quoteId: quote.quote_id } : {}) },
  ...(quote ? { price: quote.total, years: terms.years } : {}),
});

function act(verb: Verb, item: Item, { terms, quoteId }: Sent, manner: Manner): Promise<Answered<unknown>> {
  const path = { domain_id: item.domainId };
  const { years, reason, mode, hosts } = terms;
  const acts: Record<Verb, () => Promise<Answered<unknown>>> = {
    renew: () => {
      const guard = { invoice_option: 'no_invoice', ...(quoteId ? { quote_id: quoteId } : {}) } as const;
      const body = { years, current_date: item.expires, ...guard };
      return call('post', '/domains/{domain_id}/renew', { path, body }, manner);
    },
    lock: () => call('put', '/domains/{domain_id}/locked', { path, body: reason ? { reason } : {} }, manner),
    unlock: () => call('delete', '/domains/{domain_id}/locked', { path }, manner),
    mode: () => call('put', '/domains/{domain_id}/renewal_mode', { path, body: { renewal_mode: mode } }, manner),
    ns: () => call('put', '/domains/{domain_id}/ns', { path, body: { ns: [...hosts] } }, manner),
  };
  return acts[verb]();
}

/** Sends one, or asks what became of it: the same words under the same key. False: the rest would meet the same. */
export async function sendItem(verb: Verb, item: Item): Promise<{ readonly item: Item; readonly goOn: boolean }> {
  if (!item.sent) return { item, goOn: true };
  try {
    const { body, status } = await act(verb, item, item.sent, { idempotencyKey: item.key });
    const { sent: _, ...settled } = item;
    const operationId = operationOf(body);
    const state = status === 202 && operationId ? 'open' : 'done';
    return { item: { ...settled, state, ...(operationId ? { operationId } : {}) }, goOn: true };
  } catch (error) {
    const trouble = asTrouble(error);
    if (!trouble.isRefusal) return { item: { ...item, state: 'unknown' }, goOn: false };
    const { sent: _, ...settled } = item;
    const { price: _none, ...unpaid } = settled;
    const message = [trouble.message, ...trouble.fields.map((each) => each.message)].filter(Boolean).join(' ');
    const goOn = trouble.status !== 402 && trouble.status !== 403;
    return { item: { ...unpaid, state: 'refused', message: message || trouble.code }, goOn };
  }
}
