import type { JournalStep, RR, RRset } from '@namehold/dns';
import type { Reader, Tx } from '@namehold/postgres';

/** The SOA of a zone and the changes since an older serial. */
interface ContentHead {
  readonly serial: number;
  readonly soa: RRset;
  /** Undefined: the changes are no longer stored. They lead to `serial`, even if the zone has changed since. */
  stepsFrom(heldSerial: number): Promise<readonly JournalStep[] | undefined>;
}

/** A consistent snapshot of a zone. */
export interface WholeContent {
  readonly soa: RRset;
  /** Everything but the SOA. */
  readonly records: Iterable<RR> | AsyncIterable<RR>;
}

/** A source of transfers: a zone or the catalog. */
export interface Content {
  head(db: Reader): Promise<ContentHead | undefined>;
  /** The content, or `too_large` if it must be streamed. Undefined: there is no such zone. */
  readIfSmall(db: Reader): Promise<WholeContent | 'too_large' | undefined>;
  /** Runs inside a snapshot that lasts until the last record was read. */
  stream(tx: Tx): Promise<WholeContent | undefined>;
}
