import type { Database, Tx } from '@namehold/postgres';
import { inSnapshot } from '@namehold/postgres';
import type { Log } from '../core/app-context.ts';
import { feedCursor, type ZoneHead, zoneHeads, zonesChangedSince } from '../core/zones/publish/zone-head.sql.ts';
import { Follower } from './follower.ts';

/** Compares names too, because another zone may have the same serial. */
export const isSame = (held: HeldZone | undefined, head: ZoneHead): boolean =>
  held?.serial === head.serial && held.name === head.name;

export type HeldZone = Pick<ZoneHead, 'name' | 'serial'>;

/** The followed zones: names and serials only, or complete zones. */
export interface FollowedZones {
  ids(): Iterable<string>;
  remove(id: string): void;
  /** Applies `heads` of one snapshot. Returns the changed ones. */
  fill(tx: Tx, heads: readonly ZoneHead[]): Promise<ZoneHead[]>;
  /** The same for the zones with these ids. */
  read(db: Database, ids: readonly string[]): Promise<ZoneHead[]>;
  /** Called once every zone was read. */
  complete?(): void;
  /** Resolves when all changes are in effect. */
  flush?(): Promise<void>;
}

interface ZoneFollowerOptions {
  readonly db: Database;
  readonly zones: FollowedZones;
  readonly log: Log;
  /** True: every zone is loaded from the start. */
  readonly startsComplete?: boolean;
  /** Zones whose content or state changed, already applied. Called one at a time. */
  onChanged(heads: readonly ZoneHead[]): void;
}

const PAGE_ZONES = 500;
/** Interval of reads of all changes, in case a notification was lost. */
const POLL_MS = 5_000;
/** With more notified zones than this, one read of all changes is cheaper. */
const MAX_NAMED_ZONES = 500;

interface Scan {
  afterId: string;
  readonly unseen: Set<string>;
}

/** Keeps zones current: reads all in pages at the start and after each lost connection, and changes when notified. */
export class ZoneFollower {
  readonly #options: ZoneFollowerOptions;
  readonly #follower: Follower;
  #scan: Scan | undefined;
  /** Time of the last read of all changes. */
  #polledAt = 0;
  #isComplete = false;

  constructor(options: ZoneFollowerOptions) {
    this.#options = options;
    this.#isComplete = options.startsComplete ?? false;
    const failureMessage = 'zones not read; serving the last known zones';
    this.#follower = new Follower({ log: options.log, failureMessage, step: () => this.#step() });
  }

  /** True once every zone was read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** A zone changed. */
  notify(zoneId: string): void {
    this.#follower.notify(zoneId);
  }

  restart(): void {
    this.#follower.restart();
  }

  stop(): Promise<void> {
    return this.#follower.stop();
  }

  async #step(): Promise<void> {
    const { cursor, notified } = this.#follower;
    const restMs = this.#polledAt + POLL_MS - performance.now();
    if (cursor === undefined) await this.#begin();
    else if (notified.size > MAX_NAMED_ZONES || (restMs <= 0 && !this.#scan)) await this.#catchUp(cursor, notified);
    else if (notified.size > 0) await this.#readNotified(notified);
    else if (this.#scan) await this.#readPage(this.#scan);
    else await this.#follower.sleep(restMs);
  }

  async #begin(): Promise<void> {
    const { db, zones } = this.#options;
    const cursor = await inSnapshot(db, (tx) => feedCursor(tx));
    this.#scan = { afterId: '0', unseen: new Set(zones.ids()) };
    this.#follower.cursor = cursor;
    this.#polledAt = performance.now();
  }

  async #catchUp(from: string, notified: Set<string>): Promise<void> {
    const { db } = this.#options;
    notified.clear();
    this.#polledAt = performance.now();
    const found = await inSnapshot(db, async (tx) => {
      const { cursor, zones } = await zonesChangedSince(tx, from);
      return { cursor, changed: await this.#options.zones.fill(tx, zones) };
    });
    this.#follower.moveOn(from, found.cursor);
    await this.#announce(found.changed);
  }

  async #readNotified(notified: Set<string>): Promise<void> {
    const ids = [...notified];
    notified.clear();
    await this.#announce(await this.#options.zones.read(this.#options.db, ids));
  }

  async #readPage(scan: Scan): Promise<void> {
    const { db, zones } = this.#options;
    const page = await inSnapshot(db, async (tx) => {
      const heads = await zoneHeads(tx, { afterId: scan.afterId, limit: PAGE_ZONES });
      return { heads, changed: await zones.fill(tx, heads) };
    });
    for (const head of page.heads) scan.unseen.delete(head.id);
    const last = page.heads.at(-1);
    if (last && page.heads.length === PAGE_ZONES) scan.afterId = last.id;
    else {
      for (const id of scan.unseen) zones.remove(id);
      zones.complete?.();
      this.#scan = undefined;
      this.#isComplete = true;
    }
    await this.#announce(page.changed);
  }

  async #announce(changed: readonly ZoneHead[]): Promise<void> {
    await this.#options.zones.flush?.();
    if (changed.length > 0) this.#options.onChanged(changed);
  }
}
