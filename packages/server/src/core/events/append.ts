import { sql, type Tx } from '@namehold/base';
import type { House } from '../house.ts';
import { wholeSeconds } from '../whole-seconds.ts';

export interface NewEvent {
  readonly resellerId: string;
  readonly type: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly requestId?: string | null;
  readonly payload: object;
}

/** Appended in the transaction of the change, as late in it as possible: the counter's lock orders all writers of a reseller. */
export async function appendEvent(house: House, tx: Tx, event: NewEvent): Promise<void> {
  await tx.run(sql`
    select append_event(${event.resellerId}, ${house.clock.now()}, ${event.type}, ${event.objectType}, ${event.objectId},
                        ${event.requestId ?? null}, ${JSON.stringify(event.payload, wholeSeconds)})`);
}
