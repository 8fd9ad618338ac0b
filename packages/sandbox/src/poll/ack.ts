import type { PollAckRequest, ResponseSpec } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { removeMessage } from './poll.sql.ts';

/** RFC 5730 2.9.2.3: removes the message; the answer contains the number of remaining ones. */
export async function ackMessage(call: Call, command: PollAckRequest): Promise<ResponseSpec> {
  const id = /^\d{1,18}$/.test(command.msgID) ? command.msgID : '0';
  const row = await removeMessage(call.registry.db.autocommit(registryTenant), call.clientId, id);
  if (row.gone === '0') refuse(2303, `no message ${command.msgID}`);
  call.effects.messagesFor.add(call.clientId);
  return { results: [{ code: 1000 }], msgQ: { count: Number(row.left), id: command.msgID } };
}
