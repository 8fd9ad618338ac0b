import { sql, type Tx } from '@namehold/base';
import type { AnswerData } from '@namehold/epp';
import type { Ripples } from '../registry/registry.ts';
import { freeze } from './stored-data.ts';

export interface PollMessage {
  readonly clientId: string;
  readonly at: Date;
  readonly text: string;
  readonly data?: AnswerData;
}

export async function enqueue(tx: Tx, ripples: Ripples, message: PollMessage): Promise<void> {
  const data = message.data === undefined ? null : freeze(message.data);
  await tx.run(sql`insert into poll_message (client_id, queued_at, text, data)
    values (${message.clientId}, ${message.at}, ${message.text}, ${data})`);
  ripples.mailFor.add(message.clientId);
}
