import { sql } from '@namehold/base';
import type { ResponseSpec } from '@namehold/epp';
import { type Call, registryTenant } from '../registry/registry.ts';
import { thaw } from './stored-data.ts';

interface HeadRow {
  readonly id: string;
  readonly queued_at: Date;
  readonly text: string;
  readonly data: unknown;
  readonly count: string;
}

/** RFC 5730 2.9.2.3: the oldest message, again and again until it is acknowledged. */
export async function requestMessage(call: Call): Promise<ResponseSpec> {
  const head = await call.registry.db.as(registryTenant).maybe<HeadRow>(sql`
    select id, queued_at, text, data, (select count(*) from poll_message where client_id = ${call.clientId}) as count
    from poll_message where client_id = ${call.clientId} order by id limit 1`);
  if (head === undefined) return { results: [{ code: 1300 }] };
  return {
    results: [{ code: 1301 }],
    msgQ: { count: Number(head.count), id: head.id, qDate: head.queued_at, text: head.text },
    ...(head.data === null ? {} : { data: thaw(head.data) }),
  };
}
