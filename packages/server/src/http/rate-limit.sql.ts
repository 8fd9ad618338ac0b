import { type Autocommit, sql } from '@namehold/postgres';

export interface Taken {
  readonly granted: number;
  readonly remaining: number;
  readonly retry_after_ms: number;
}

export async function takeUnits(
  alone: Autocommit,
  bucket: string,
  wanted: { readonly perMinute: number; readonly burst: number; readonly slice: number },
): Promise<Taken> {
  return alone.one<Taken>(sql`
    select granted, remaining, retry_after_ms from rate_take(${bucket}, ${wanted.perMinute}, ${wanted.burst}, ${wanted.slice})`);
}
