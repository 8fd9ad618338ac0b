import type { World, WorldCall } from '../faults/world.ts';
import type { Verb } from './script.ts';

/** An order as a careful client places it: with a key, and asked about until there is an answer. */
export interface Order {
  readonly verb: Verb;
  readonly name: string;
  readonly years: number;
  readonly withPrivacy: boolean;
  readonly placedAt: number;
  readonly request: { method: string; path: string; form: Record<string, string>; key: string; via: number };
  /** The answer at the door. */
  answer: 'none' | 'accepted' | 'refused';
  operationId?: string | undefined;
  state?: string;
  finalAt?: number;
  privacyBefore?: string | null;
}

const contact = '3001';

export async function newOrder(
  world: World,
  wish: { verb: Verb; name: string; years: number; withPrivacy: boolean; via: number; key: string },
): Promise<Order | undefined> {
  const { verb, name, years, withPrivacy, via, key } = wish;
  const request = await requestOf(world, wish);
  if (request === undefined) return undefined;
  const placedAt = await world.now();
  return { verb, name, years, withPrivacy, placedAt, request: { ...request, key, via }, answer: 'none' };
}

async function requestOf(
  world: World,
  { verb, name, years, withPrivacy }: { verb: Verb; name: string; years: number; withPrivacy: boolean },
): Promise<{ method: string; path: string; form: Record<string, string> } | undefined> {
  const at = `/v1/domains/${name}`;
  const invoice = { invoice_option: 'no_invoice' };
  const privacy: Record<string, string> = withPrivacy ? { purchase_privacy_protection: 'true' } : {};
  switch (verb) {
    case 'register': {
      const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
      const form = { domain_name: name, customer_id: '2001', years: String(years), ...Object.fromEntries(roles) };
      return { method: 'POST', path: '/v1/domains', form: { ...form, ...invoice, ...privacy } };
    }
    case 'renew': {
      const { body } = await world.call('GET', at);
      if (typeof body?.end_date !== 'string') return undefined;
      const form = { years: String(years), current_date: body.end_date as string, ...invoice, ...privacy };
      return { method: 'POST', path: `${at}/renew`, form };
    }
    case 'delete':
      return { method: 'DELETE', path: at, form: {} };
    case 'restore':
      return { method: 'POST', path: `${at}/restore`, form: invoice };
    case 'privacy':
      return { method: 'POST', path: `${at}/privacy_protection/buy`, form: { years: String(years), ...invoice } };
    case 'nameservers':
      return { method: 'PUT', path: `${at}/ns`, form: { ns: 'ns1.other-dns.de,ns2.other-dns.de' } };
    case 'contacts': {
      const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, '3002']);
      return { method: 'PUT', path: `${at}/contacts`, form: Object.fromEntries(roles) };
    }
    case 'lock':
      return { method: 'PUT', path: `${at}/locked`, form: { reason: 'simulated' } };
    case 'unlock':
      return { method: 'DELETE', path: `${at}/locked`, form: {} };
    case 'theft':
      return { method: 'PUT', path: `${at}/theft_protection`, form: {} };
  }
}

/** Sends it, or sends it again under the same key. */
export async function place(world: World, order: Order, via = order.request.via): Promise<void> {
  const { method, path, form, key } = order.request;
  const service = world.services[via];
  const called = await world.call(method, path, {
    form,
    headers: { 'Idempotency-Key': key, Prefer: 'respond-async' },
    ...(service?.isAlive && !service.isPaused ? { via } : {}),
    timeoutMs: 8_000,
  });
  if (isAnswer(called)) {
    order.answer = called.status < 300 ? 'accepted' : 'refused';
    // A refusal may name an operation too: the one that is in the way.
    if (order.answer === 'accepted') order.operationId = called.body?.operation_id as string | undefined;
  }
}

/** Silence, a fault of ours and "the first one is still running" leave it open what became of the call. */
export const isAnswer = ({ status, body }: WorldCall): boolean =>
  status !== 0 && status < 500 && status !== 429 && body?.code !== 'idempotency_in_flight';
