import type { Queryable } from '@namehold/base';
import type { JournalStep, RR, RRset } from '@namehold/dns';

/** What can be transferred: one of the zones, or the catalog of them. Read inside one snapshot. */
export interface Content {
  readonly serial: number;
  readonly soa: RRset;
  /** Records without the SOA, as far as they are counted. */
  readonly recordCount: number;
  /** Everything but the SOA. */
  records(): AsyncIterable<RR>;
  /** The way from the serial that the client holds; undefined when it is no longer known. */
  stepsFrom(heldSerial: number): Promise<readonly JournalStep[] | undefined>;
}

export type FindContent = (db: Queryable, name: string) => Promise<Content | undefined>;
