import type { Tx } from '@namehold/postgres';
import type { CommitEffects } from '../registry/registry.ts';
import { insertMessage } from './poll.sql.ts';
import { freeze, type MessageBody } from './stored-data.ts';

interface PollMessage extends MessageBody {
  readonly clientId: string;
  readonly at: Date;
  readonly text: string;
}

export async function enqueue(tx: Tx, effects: CommitEffects, message: PollMessage): Promise<void> {
  const { clientId, at, text, data, ext } = message;
  const hasBody = data !== undefined || ext !== undefined;
  const body = { ...(data && { data }), ...(ext && { ext }) };
  await insertMessage(tx, { clientId, at, text, data: hasBody ? freeze(body) : null });
  effects.messagesFor.add(clientId);
}
