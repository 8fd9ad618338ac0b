import type { Reader, Tx } from '@namehold/base';
import type { JournalStep, RR, RRset } from '@namehold/dns';

/** What stands at the head of a zone, and the way to it from an older serial. */
export interface ContentHead {
  readonly serial: number;
  readonly soa: RRset;
  /** Undefined when the way is no longer known. Leads to `serial`, whatever has come since. */
  stepsFrom(heldSerial: number): Promise<readonly JournalStep[] | undefined>;
}

/** A zone's content of one moment. */
export interface WholeContent {
  readonly soa: RRset;
  /** Everything but the SOA. */
  readonly records: Iterable<RR> | AsyncIterable<RR>;
}

/** What can be transferred: one of the zones, or the catalog of them. */
export interface Content {
  head(db: Reader): Promise<ContentHead | undefined>;
  /** At once, where it is small; `large` where it is to be streamed. */
  small(db: Reader): Promise<WholeContent | 'large' | undefined>;
  /** Inside a snapshot that lasts until the last record was taken. */
  stream(tx: Tx): Promise<WholeContent | undefined>;
}
