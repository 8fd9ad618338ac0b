import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { eventsAfter, newestNumbers, type StoredEvent } from './read.sql.ts';

export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly hasMore: boolean;
  /** The position to continue from: the last number read, or that of the request. */
  readonly nextAfter: bigint;
}

/** Sixteen digits sort as text in numeric order. */
export function eventId(number: string | bigint): string {
  return `evt_${String(number).padStart(16, '0')}`;
}

/** Undefined if the text is no id of an event. */
export function eventNumber(id: string): bigint | undefined {
  const digits = /^(?:evt_)?(\d{1,16})$/.exec(id)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

/** The last event of each of these accounts, in one query. A reader that gets a number finds all events up to it. */
export async function newestEvents(ctx: AppContext, resellerIds: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await newestNumbers(ctx.db.as(allTenants), resellerIds);
  return new Map(rows.map((row) => [row.reseller_id, BigInt(row.last_number)]));
}

/** A replayable log: the same request gives the same answer, and nothing appears later below what was read. */
export async function readEvents(
  ctx: AppContext,
  actor: Pick<Actor, 'resellerId' | 'customerId'>,
  wanted: { after: bigint; limit: number; type?: string | undefined },
): Promise<EventPage> {
  const { after, limit, type } = wanted;
  // `domain.*` selects every type that begins with `domain.`.
  const types = type === undefined ? {} : type.endsWith('*') ? { below: type.slice(0, -1) } : { exact: type };
  const { resellerId, customerId } = actor;
  const rows = await eventsAfter(ctx.db.as(resellerId), { resellerId, customerId }, after, types, limit + 1);
  const events = rows.slice(0, limit);
  return { events, hasMore: rows.length > limit, nextAfter: BigInt(events.at(-1)?.number ?? after) };
}
