import type { Tx } from '@namehold/base';
import type { House } from '../house.ts';
import { tellOfEvent } from '../notices/of-event.ts';
import { wholeSeconds } from '../whole-seconds.ts';
import { insertEvent } from './append.sql.ts';
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
  // Before the counter is taken, which others wait for.
  await tellOfEvent(house, tx, event);
  const { object: objectType } = events[event.type];
  const payload = JSON.stringify(event.payload, wholeSeconds);
  await insertEvent(tx, house.clock.now(), { ...event, objectType, payload });
}
