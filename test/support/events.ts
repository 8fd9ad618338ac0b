import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { type EventType, events } from '../../packages/server/src/core/events/catalogue.ts';

interface Row {
  readonly type: EventType;
  readonly object_type: string;
  readonly payload: unknown;
}

/**
 * Checks all events of the service against the catalogue, with no missing and no additional fields. Uses a separate connection, because
 * the test may have stopped the service.
 */
export async function expectCatalogued(databaseUrl: string): Promise<void> {
  const db = openDatabase({ url: databaseUrl, maxConnections: 1 });
  const rows = await db.as(allTenants).many<Row>(sql`select type, object_type, payload from event`);
  await db.close();
  for (const { type, object_type, payload } of rows) {
    const known = events[type];
    expect(known, `the event ${type} is not in the catalogue`).toBeDefined();
    expect(object_type, type).toBe(known.object);
    const fits = known.payload.safeParse(payload);
    expect(fits.error?.issues ?? [], `${type} ${JSON.stringify(payload)}`).toEqual([]);
  }
}
