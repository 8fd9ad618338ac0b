import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, InstallationCall } from '../faults/world.ts';
import { readRegistered } from './facts.ts';
import { decimal, isPremium, type Prices, pricesOf } from './oracle/price-table.ts';
import type { Trader } from './resellers.ts';
import type { Mode, Remedy, Verb } from './script.ts';
import { giveCode, rightCode, wrongCode } from './transfers.ts';

interface Wish {
  readonly verb: Verb;
  readonly name: string;
  readonly buyer: Trader;
  readonly years: number;
  readonly withPrivacy: boolean;
  readonly isGuardShort: boolean;
  readonly via: number;
  readonly key: string;
  readonly isCodeWrong: boolean;
  readonly remedy: Remedy;
  /** The registrant, if the domain has one of its own. */
  readonly registrantId: string | undefined;
  /** The initial renewal mode if the domain comes by this order. */
  readonly beginsWith: Mode | undefined;
}

/** An order as a careful client places it: with a key, and polled until there is an answer. */
export interface Order extends Wish {
  readonly placedAt: number;
  /** An expired domain is restored with one more year. */
  readonly withRenewal: boolean;
  readonly request: Request;
  /** The immediate answer. */
  answer: 'none' | 'accepted' | 'refused';
  operationId?: string | undefined;
  state?: string;
  finalAt?: number;
  /** By the operator, because its outcome could not be proven. */
  decided?: 'done' | 'refused';
  /** From the end of the faults to its own end. */
  settledMs?: number;
  /** The oracle's expectation. */
  complaint?: string | undefined;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly form: Record<string, string>;
}

/** An order arrives within this time. */
const doubtfulMs = 10_000;

export async function newOrder(installation: Installation, wish: Wish): Promise<Order | undefined> {
  const there = wish.verb === 'restore' ? await readRegistered(installation, wish.name) : undefined;
  const leftMs = there === undefined ? 0 : Date.parse(there.expiresAt) - (await installation.now());
  // This close to the end it is unknown on which side of it the order arrives.
  if (leftMs > 0 && leftMs < doubtfulMs) await sleep(leftMs);
  const placedAt = await installation.now();
  const withRenewal = there !== undefined && Date.parse(there.expiresAt) <= placedAt;
  if (wish.verb === 'transfer') await giveCode(installation, wish.name);
  const request = await requestOf(installation, wish);
  if (request === undefined) return undefined;
  const cost = costOf({ ...wish, withRenewal }, pricesOf(wish.name, wish.buyer.level));
  // docs/guide/balances-and-prices.md: a premium domain is never sold without a guard.
  const isGuarded = cost > 0 && (isPremium(wish.name) || wish.isGuardShort);
  const guard = isGuarded ? { max_price: decimal(wish.isGuardShort ? cost - 1 : cost) } : {};
  return {
    ...wish,
    placedAt,
    withRenewal,
    request: { ...request, form: { ...request.form, ...guard } },
    answer: 'none',
  };
}

/** The amount on hold for it, at these prices. */
export function costOf(
  { verb, years, withPrivacy, withRenewal }: Pick<Order, 'verb' | 'years' | 'withPrivacy' | 'withRenewal'>,
  prices: Prices,
): number {
  const privacy = withPrivacy ? prices.privacy * years : 0;
  switch (verb) {
    case 'register':
      return prices.create * years + privacy;
    case 'renew':
      return prices.renew * years + privacy;
    case 'transfer':
      return prices.transfer;
    case 'privacy':
      return prices.privacy * years;
    case 'restore':
      return prices.restore + (withRenewal ? prices.renew : 0);
    default:
      return 0;
  }
}

async function requestOf(installation: Installation, wish: Wish): Promise<Request | undefined> {
  const { verb, name, years, withPrivacy, buyer } = wish;
  const at = `/v1/domains/${name}`;
  const invoice = { invoice_option: 'no_invoice' };
  const privacy: Record<string, string> = withPrivacy ? { purchase_privacy_protection: 'true' } : {};
  const answer = (action: string, form = {}) => ({ method: 'POST', path: `${at}/transfer/${action}`, form });
  const inAllRoles = (contact: string) =>
    Object.fromEntries(['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]));
  const registrant: Record<string, string> =
    wish.registrantId === undefined ? {} : { registrant_contact_id: wish.registrantId };
  const newContacts = { ...inAllRoles(buyer.contacts[0]), ...registrant };
  switch (verb) {
    case 'register': {
      const form = { domain_name: name, customer_id: buyer.customerId, years: String(years) };
      const contacts = newContacts;
      return { method: 'POST', path: '/v1/domains', form: { ...form, ...contacts, ...invoice, ...privacy } };
    }
    case 'transfer': {
      const code = wish.isCodeWrong ? wrongCode : rightCode;
      const form = { domain_name: name, customer_id: buyer.customerId, auth_code: code, ...invoice };
      return { method: 'POST', path: '/v1/domains/transfer', form: { ...form, ...newContacts } };
    }
    case 'hand-over': {
      const { body } = await installation.call('GET', at, { as: buyer.caller });
      const { customerId, otherCustomerId, resellerId } = buyer;
      const isThere = String(body?.customer_id) === customerId;
      const form = {
        existing_customer_id: isThere ? customerId : otherCustomerId,
        new_reseller_id: resellerId,
        new_customer_id: isThere ? otherCustomerId : customerId,
        default_contacts: years > 1 ? 'default' : 'oldcontact',
      };
      return { method: 'POST', path: `${at}/move`, form };
    }
    case 'approve':
      return answer('approve');
    case 'reject':
      return answer('reject', { reason: 'holder_objects' });
    case 'renew': {
      const { body } = await installation.call('GET', at, { as: buyer.caller });
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
    case 'contacts':
      return { method: 'PUT', path: `${at}/contacts`, form: inAllRoles(buyer.contacts[1]) };
    case 'lock':
      return { method: 'PUT', path: `${at}/locked`, form: { reason: 'simulated' } };
    case 'unlock':
      return { method: 'DELETE', path: `${at}/locked`, form: {} };
    case 'theft':
      return { method: 'PUT', path: `${at}/theft_protection`, form: {} };
  }
}

/** Sends it, or sends it again with the same key. */
export async function place(installation: Installation, order: Order): Promise<void> {
  const { method, path, form } = order.request;
  const service = installation.services[order.via];
  const called = await installation.call(method, path, {
    form,
    headers: { 'Idempotency-Key': order.key, Prefer: 'respond-async' },
    as: order.buyer.caller,
    ...(service?.isAlive && !service.isPaused ? { via: order.via } : {}),
    timeoutMs: 8_000,
  });
  if (!isAnswer(called)) return;
  order.answer = called.status < 300 ? 'accepted' : 'refused';
  // A refusal may also contain an operation: the conflicting one.
  if (order.answer === 'accepted') order.operationId = called.body?.operation_id as string | undefined;
  order.complaint = guardComplaint(order, called.body?.code as string | undefined);
}

/** The guard is the oracle's own price to the cent: only that price passes. */
function guardComplaint(order: Order, code: string | undefined): string | undefined {
  const { verb, name, isGuardShort, request, answer } = order;
  const what = `${verb} of ${name} with max_price ${request.form.max_price}`;
  if (code === 'price_guard' && !isGuardShort) return `${what}, the price of the table, is refused`;
  const isTooCheap = answer === 'accepted' && isGuardShort && request.form.max_price !== undefined;
  return isTooCheap ? `${what}, a cent below the price of the table, is accepted` : undefined;
}

/** No answer, a server error and "the first call is still running" leave the outcome open. */
export const isAnswer = ({ status, body }: InstallationCall): boolean =>
  status !== 0 && status < 500 && status !== 429 && body?.code !== 'idempotency_in_flight';
