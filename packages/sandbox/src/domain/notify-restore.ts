import type { Tx } from '@namehold/base';
import { enqueue } from '../poll/enqueue.ts';
import type { Call } from '../registry/registry.ts';

/** Verisign's rgp-poll: a restore was requested, and the date until which its report is due. */
export async function notifyRestore(tx: Tx, call: Call, name: string, reportDueAt: Date): Promise<void> {
  await enqueue(tx, call.effects, {
    clientId: call.clientId,
    at: call.at,
    text: 'Restore Request Pending',
    data: {
      object: 'rgpPoll',
      type: 'pollData',
      name,
      status: { value: 'pendingRestore' },
      requestedAt: call.at,
      reportDueAt,
    },
  });
}
