import type { Tx } from '@namehold/base';
import type { AnswerData } from '@namehold/epp';
import type { Ripples } from '../registry/registry.ts';
import { insertMessage } from './poll.sql.ts';
import { freeze } from './stored-data.ts';

export interface PollMessage {
  readonly clientId: string;
  readonly at: Date;
  readonly text: string;
  readonly data?: AnswerData;
}

export async function enqueue(tx: Tx, ripples: Ripples, message: PollMessage): Promise<void> {
  const data = message.data === undefined ? null : freeze(message.data);
  await insertMessage(tx, { ...message, data });
  ripples.mailFor.add(message.clientId);
}
