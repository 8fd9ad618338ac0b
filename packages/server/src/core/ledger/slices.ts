import { type Database, inSnapshot, type Reader, type Tx, withoutTimeout } from '@namehold/postgres';
import type { Slice } from './verify.sql.ts';

export const sliceLimits = { accounts: 200, linesOfAnAccount: 10_000, rows: 5_000 };

/** The result of one slice, and its position: another process can continue from there. */
export interface SliceResult<T> {
  readonly found: readonly T[];
  readonly place: string;
}

/** A slice reads one moment, so it has no statement timeout: a timeout would prove nothing about the compared rows. */
export const inSlice = <T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inSnapshot(db, async (tx) => {
    await withoutTimeout(tx);
    return work(tx);
  });

/** By ascending ids. Each slice has its own snapshot, so that no snapshot is held for longer than a slice takes. */
export async function* bySlice<T>(
  db: Database,
  from: string,
  next: (tx: Reader, after: string, size: number) => Promise<string | undefined>,
  read: (tx: Tx, slice: Slice) => Promise<readonly T[]>,
): AsyncGenerator<SliceResult<T>> {
  for (let after = from; ; ) {
    const result = await inSlice(db, async (tx) => {
      const upTo = await next(tx, after, sliceLimits.rows);
      return upTo === undefined ? undefined : { found: await read(tx, { after, upTo }), place: upTo };
    });
    if (!result) return;
    yield result;
    after = result.place;
  }
}
