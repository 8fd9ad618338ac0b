import { sql, type Tx } from '@namehold/base';
import type { House } from '../house.ts';
import { wholeSeconds } from '../whole-seconds.ts';
import { type EventType, events, type PayloadOf } from './catalogue.ts';

/** One of the catalogue, with the payload that the catalogue has for it. */
export type NewEvent = {
  [T in EventType]: {
    readonly resellerId: string;
    readonly type: T;
    readonly objectId: string;
    readonly requestId?: string | null;
    readonly payload: PayloadOf<T>;
  };
}[EventType];

/** Appended in the transaction of the change, as late in it as possible: the counter's lock orders all writers of a reseller. */
export async function appendEvent(house: House, tx: Tx, event: NewEvent): Promise<void> {
  await tx.run(sql`
    select append_event(${event.resellerId}, ${house.clock.now()}, ${event.type}, ${events[event.type].object}, ${event.objectId},
                        ${event.requestId ?? null}, ${JSON.stringify(event.payload, wholeSeconds)})`);
}
