import type { ResponseSpec } from '@namehold/epp';
import { type Call, registryTenant } from '../registry/registry.ts';
import { oldestMessage } from './poll.sql.ts';
import { thaw } from './stored-data.ts';

/** RFC 5730 2.9.2.3: returns the oldest message until it is acknowledged. */
export async function requestMessage(call: Call): Promise<ResponseSpec> {
  const head = await oldestMessage(call.registry.db.as(registryTenant), call.clientId);
  if (head === undefined) return { results: [{ code: 1300 }] };
  return {
    results: [{ code: 1301 }],
    msgQ: { count: Number(head.count), id: head.id, qDate: head.queued_at, text: head.text },
    ...(head.data === null ? {} : thaw(head.data)),
  };
}
