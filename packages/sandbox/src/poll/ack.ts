import { sql } from '@namehold/base';
import type { PollAckRequest, ResponseSpec } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';

/** RFC 5730 2.9.2.3: the message is read and gone; the answer says how many are left. */
export async function ackMessage(call: Call, command: PollAckRequest): Promise<ResponseSpec> {
  const id = /^\d{1,18}$/.test(command.msgID) ? command.msgID : '0';
  const row = await call.registry.db.alone(registryTenant).one<{ gone: string; left: string }>(sql`
    with gone as (delete from poll_message where client_id = ${call.clientId} and id = ${id} returning id)
    select (select count(*) from gone) as gone,
      (select count(*) from poll_message where client_id = ${call.clientId} and id <> ${id}) as left`);
  if (row.gone === '0') refuse(2303, `no message ${command.msgID}`);
  call.ripples.mailFor.add(call.clientId);
  return { results: [{ code: 1000 }], msgQ: { count: Number(row.left), id: command.msgID } };
}
