import { loadLibxml2 } from '@namehold/epp';
import type { Evidence, Reply, TransferOutlook } from '../../../../core/ports/registry.ts';
import type { AvailabilityResult, Detail, Dialect, UpstreamClient } from '../../dialect.ts';
import { textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { transferInProgress } from '../../refusals.ts';
import { openSrsCalls, transferCall } from './calls.ts';
import { classify } from './classify.ts';
import { contactIdOf } from './contacts.ts';
import { fetchParts, infoCall, readDetail } from './detail.ts';
import { listPage } from './list.ts';
import { attributesOf, message, readAnswer, sign } from './message.ts';
import { orderOf, orderSearch } from './orders.ts';
import { priceList } from './prices.ts';

export function openSrsDialect(profile: UpstreamProfile): Dialect {
  return {
    sign,
    read: readAnswer,
    load: loadLibxml2,
    classify,
    calls: openSrsCalls(profile),
    saved(accepted) {
      const id = textOf(attributesOf(accepted).forced_pending);
      if (id === undefined) return undefined;
      return {
        execute: message('PROCESS_PENDING', { order_id: id }),
        cancel: message('PROCESS_PENDING', { order_id: id, command: 'cancel' }),
      };
    },
    detail: { call: infoCall, fetch: fetchParts, read: (body, now) => readDetail(body, profile, now) },
    check: {
      // Without no_cache the answer may be old.
      call: ([name = '']) => message('LOOKUP', { domain: name, no_cache: '1' }),
      read: readAvailability,
    },
    findOrders: orderSearch(profile),
    charge: (send, body) => chargeOf(send, body, profile),
    contactId: () => undefined,
    contactIdOf,
    // It has no request for another auth code.
    transfer: async (_send, order, present) =>
      present?.status === 'pending_transfer_in' ? transferInProgress(order.name) : [transferCall(order, profile)],
    transferOutlook: outlook,
    readAuthCode,
    // Orders and answers have no refunds.
    ...(profile.opensrs.refundDays > 0 ? {} : { refunds: async () => refundsNotKnown }),
    list: (send, cursor) => listPage(send, profile, cursor),
    priceList: (send, tlds) => priceList(send, tlds, profile),
    balance: balanceOf,
    probe: async () => ({ findings: [], notes: [] }),
  };
}

const refundsNotKnown = { kind: 'done', data: { lines: [], isWhole: false }, pending: false, evidence: {} } as const;

/** 221: a registration is in progress, ours or that of another reseller. */
function readAvailability(body: unknown): AvailabilityResult | undefined {
  const entry = attributesOf(body);
  const code = textOf((body as { readonly response_code?: unknown }).response_code);
  if (code === '211') return { status: 'taken', entry };
  if (code !== '210') return { status: 'unknown', entry };
  // An order has no limit of the price, so a premium domain cannot be ordered safely.
  if (/premium/i.test(textOf(entry.reason) ?? '')) return { status: 'taken', reason: 'premium', entry };
  return { status: 'available', entry };
}

async function readAuthCode(send: UpstreamClient, { name }: Detail): Promise<Reply<string>> {
  const { reply } = await send(message('GET', { domain: name, type: 'domain_auth_info' }));
  if (reply.kind !== 'done') return reply;
  const code = textOf(attributesOf(reply.data).domain_auth_info);
  return code === undefined ? { kind: 'unsent', why: 'the upstream shows no auth code' } : { ...reply, data: code };
}

async function outlook(send: UpstreamClient, name: string): Promise<Reply<TransferOutlook | null>> {
  const { reply } = await send(message('CHECK_TRANSFER', { domain: name }));
  if (reply.kind !== 'done') return reply;
  const isPossible = textOf(attributesOf(reply.data).transferrable) === '1';
  const obstacles = isPossible ? [] : [{ reason: 'other', from: null }];
  return { ...reply, data: { registrar: null, expiresAt: null, isCodeRight: null, obstacles } };
}

/** The answer has no amount, but the order has. */
async function chargeOf(send: UpstreamClient, body: unknown, { currency }: UpstreamProfile): Promise<Evidence> {
  const attributes = attributesOf(body);
  const id = textOf(attributes.id) ?? textOf(attributes.order_id);
  const order = id === undefined ? undefined : await orderOf(send, id);
  const amount = order?.kind === 'done' ? textOf(order.data.cost) : undefined;
  return amount !== undefined && /^\d{1,9}(\.\d{1,4})?$/.test(amount) ? { charged: { amount, currency } } : {};
}

async function balanceOf(send: UpstreamClient): Promise<Reply<string | undefined>> {
  const { reply } = await send(message('GET_BALANCE', {}, 'BALANCE'));
  return reply.kind === 'done' ? { ...reply, data: textOf(attributesOf(reply.data).balance) } : reply;
}
