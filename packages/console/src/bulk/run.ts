import { type ApiResponse, type CallOptions, call } from '../api/call.ts';
import { asApiError } from '../api/error.ts';
import type { Inputs, Schema } from '../api/shapes.ts';
import { operationOf } from '../domains/change.ts';
import type { Quote } from '../domains/quote.ts';

export const verbs = ['renew', 'lock', 'unlock', 'mode', 'ns'] as const;
export type Verb = (typeof verbs)[number];
export type Mode = Inputs<'/domains/{domain_id}/renewal_mode', 'put'>['body']['renewal_mode'];

/** The limit per run. Each domain is a separate call. */
export const mostNames = 100;

/** The inputs that apply to all items. */
export interface BulkSettings {
  readonly years: number;
  readonly reason: string;
  readonly mode: Mode;
  readonly hosts: readonly string[];
}

/** One domain and its result. */
export interface Item {
  readonly name: string;
  readonly domainId: string;
  /** The expiry at the time of selection. It prevents paying twice if another renewal comes first. */
  readonly expires: string;
  /** The idempotency key of the order. */
  readonly key: string;
  /** `open`: the operation exists and is in progress. */
  readonly state: 'ready' | 'sent' | 'open' | 'done' | 'refused' | 'unknown';
  /** The request as sent, until its outcome is known. Checking the status repeats it. */
  readonly sent?: Sent;
  readonly message?: string;
  /** The accepted price. */
  readonly price?: Quote['total'];
  readonly years?: number;
  readonly operationId?: string;
}

interface Sent {
  readonly terms: BulkSettings;
  readonly quoteId?: string;
}

/** One action for several domains, stored as a draft so that no outcome is lost when the page closes. */
export interface Run {
  readonly verb: Verb;
  readonly items: readonly Item[];
  /** Why items that are ready were not sent. Undefined: they had no price, or the page was closed. */
  readonly endedBy?: EndedBy | undefined;
}

export type EndedBy = 'connection' | 'refusal' | 'user';

export const itemOf = (row: Schema<'Domain'>): Item => ({
  name: row.domain_name,
  domainId: row.domain_id,
  expires: row.expiry_date ?? '',
  key: crypto.randomUUID(),
  state: 'ready',
});

/** Resets a refused item so that it can be sent as a new order, except if the domain was already renewed. */
export const ready = (item: Item): Item => ({
  name: item.name,
  domainId: item.domainId,
  expires: item.expires,
  key: crypto.randomUUID(),
  state: 'ready',
});

export const sentAs = (item: Item, terms: BulkSettings, quote: Quote | undefined): Item => ({
  ...item,
  state: 'sent',
  sent: { terms, ...(quote ? { quoteId: quote.quote_id } : {}) },
  ...(quote ? { price: quote.total, years: terms.years } : {}),
});

function act(verb: Verb, item: Item, { terms, quoteId }: Sent, options: CallOptions): Promise<ApiResponse<unknown>> {
  const path = { domain_id: item.domainId };
  const { years, reason, mode, hosts } = terms;
  const acts: Record<Verb, () => Promise<ApiResponse<unknown>>> = {
    renew: () => {
      const guard = { invoice_option: 'no_invoice', ...(quoteId ? { quote_id: quoteId } : {}) } as const;
      const body = { years, current_date: item.expires, ...guard };
      return call('post', '/domains/{domain_id}/renew', { path, body }, options);
    },
    lock: () => call('put', '/domains/{domain_id}/locked', { path, body: reason ? { reason } : {} }, options),
    unlock: () => call('delete', '/domains/{domain_id}/locked', { path }, options),
    mode: () => call('put', '/domains/{domain_id}/renewal_mode', { path, body: { renewal_mode: mode } }, options),
    ns: () => call('put', '/domains/{domain_id}/ns', { path, body: { ns: [...hosts] } }, options),
  };
  return acts[verb]();
}

/** Sends an item, or repeats its request with the same key to check the outcome. Returns false if the next items would fail too. */
export async function sendItem(
  verb: Verb,
  item: Item,
): Promise<{ readonly item: Item; readonly shouldContinue: boolean }> {
  if (!item.sent) return { item, shouldContinue: true };
  try {
    const { body, status } = await act(verb, item, item.sent, { idempotencyKey: item.key });
    const { sent: _, ...settled } = item;
    const operationId = operationOf(body);
    const state = status === 202 && operationId ? 'open' : 'done';
    return { item: { ...settled, state, ...(operationId ? { operationId } : {}) }, shouldContinue: true };
  } catch (cause) {
    const error = asApiError(cause);
    if (!error.isRefusal) return { item: { ...item, state: 'unknown' }, shouldContinue: false };
    const { sent: _, ...settled } = item;
    const { price: _none, ...unpaid } = settled;
    const texts = new Set([error.message, ...error.fields.map((each) => each.message)]);
    const message = [...texts].filter(Boolean).join('\n');
    const shouldContinue = error.status !== 402 && error.status !== 403;
    return { item: { ...unpaid, state: 'refused', message: message || error.code }, shouldContinue };
  }
}
