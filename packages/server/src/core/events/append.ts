import type { Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { appendedEvents } from '../commit/appended-events.sql.ts';
import { recorded } from '../commit/at-commit.ts';
import { wholeSeconds } from '../whole-seconds.ts';
import { type EventType, events, type PayloadOf } from './catalogue.ts';
import { notifyOfEvent } from './notify-of-event.ts';

/** An event of the catalogue with its payload. */
export type NewEvent = {
  [T in EventType]: {
    readonly resellerId: string;
    readonly type: T;
    readonly objectId: string;
    readonly requestId?: string | null;
    readonly payload: PayloadOf<T>;
  };
}[EventType];

const together = new WeakSet<Tx>();

/**
 * From here on the events of this transaction are written at once, at its end: the counter's lock serialises all writers of an account.
 * Only if no domain changes its owner in it: the account of an event is read when it is written.
 */
export function batchEvents(tx: Tx): void {
  together.add(tx);
}

/** In the transaction of the change, as late in it as possible. */
export async function appendEvent(ctx: AppContext, tx: Tx, event: NewEvent): Promise<void> {
  // Before the counter is taken, because others wait for it.
  await notifyOfEvent(ctx, tx, event);
  const { object: objectType } = events[event.type];
  const payload = JSON.stringify(event.payload, wholeSeconds);
  const { resellerId, type, objectId, requestId = null } = event;
  const row = { resellerId, at: ctx.clock.now(), type, objectType, objectId, requestId, payload };
  if (together.has(tx)) recorded.add(tx, { event: row });
  else await tx.run(appendedEvents([row]));
}
