import { dayMs } from '@namehold/base';
import type { FoundOrder, Reply } from '../../../../core/ports/registry.ts';
import type { OrderSearch, UpstreamClient } from '../../dialect.ts';
import { type Fields, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { attributesOf, message } from './message.ts';

const limits = { pageSize: 40, pages: 25 };

const verbs: Readonly<Record<string, FoundOrder['verb']>> = {
  new: 'register',
  renewal: 'renew',
  transfer: 'transfer',
  redeem: 'restore',
};

/** Orders of a domain, each with our operation id. */
export const orderSearch = (profile: UpstreamProfile): OrderSearch => ({
  visibleAfterMs: profile.opensrs.visibleAfterSeconds * 1_000,
  renewGuard: 'year',
  async find(send, name, since) {
    // A day earlier, because clocks may differ.
    const from = new Date(since.getTime() - dayMs).toISOString().slice(0, 10);
    const listed = await ordersSince(send, name, from);
    if (listed.kind !== 'done') return listed;
    const found: FoundOrder[] = [];
    for (const row of listed.data) {
      const id = textOf(row.id);
      if (id === undefined) return { kind: 'unsent', why: `an order of ${name} in the list has no id` };
      const order = await orderOf(send, id);
      if (order.kind !== 'done') return order;
      found.push(foundOrder(id, { ...row, ...order.data }, profile));
    }
    return { ...listed, data: found };
  },
});

async function ordersSince(send: UpstreamClient, name: string, from: string): Promise<Reply<readonly Fields[]>> {
  const found: Fields[] = [];
  for (let page = 1; page <= limits.pages; page += 1) {
    const range = { limit: String(limits.pageSize), page: String(page) };
    const { reply } = await send(message('GET_ORDERS_BY_DOMAIN', { domain: name, order_from: from, ...range }));
    if (reply.kind !== 'done') return reply;
    const { orders } = attributesOf(reply.data);
    if (!Array.isArray(orders)) return { kind: 'unsent', why: `the orders of ${name} cannot be read` };
    found.push(...objectsOf(orders));
    if (orders.length < limits.pageSize) return { ...reply, data: found };
  }
  return { kind: 'unsent', why: `${name} has too many orders to read` };
}

export async function orderOf(send: UpstreamClient, id: string): Promise<Reply<Fields>> {
  const { reply } = await send(message('GET_ORDER_INFO', { order_id: id }));
  if (reply.kind !== 'done') return reply;
  const order = objectOf(attributesOf(reply.data).field_hash);
  return order ? { ...reply, data: order } : { kind: 'unsent', why: `order ${id} cannot be read` };
}

function foundOrder(id: string, order: Fields, { opensrs, utcOffset }: UpstreamProfile): FoundOrder {
  const type = textOf(order.type) ?? textOf(order.reg_type) ?? '';
  const verb = verbs[type] ?? null;
  // It is not documented whether an order of a renewal has its own id or that of the registration.
  const hasOwnId = verb !== 'renew' || opensrs.renewalsKeepId;
  return {
    id,
    verb,
    at: timeOf(order.order_date, utcOffset),
    state: stateOf(textOf(order.status) ?? '', verb),
    operationId: (hasOwnId ? textOf(order.affiliate_id) : undefined) ?? null,
  };
}

/** A saved order (`pending`) is not executed, and the next order of the domain cancels it. A transfer may have this status too. */
function stateOf(status: string, verb: FoundOrder['verb']): FoundOrder['state'] {
  if (status === 'completed') return 'done';
  if (status === 'declined' || status === 'cancelled') return 'failed';
  return status === 'pending' && verb !== 'transfer' ? 'failed' : 'open';
}
