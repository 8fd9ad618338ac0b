import type { RRset } from '@namehold/dns';
import { allTenants, type Database, inSnapshot, type Tx } from '@namehold/postgres';
import type { Log } from '../../core/app-context.ts';
import { journalSince } from '../../core/zones/publish/publish.ts';
import {
  movedSince,
  rrsetsAt,
  rrsetsOfZones,
  streamRRsets,
  wholeZonesById,
} from '../../core/zones/publish/zone-content.sql.ts';
import { type ZoneHead, zoneHead } from '../../core/zones/publish/zone-head.sql.ts';
import { type FollowedZones, type HeldZone, isSame } from '../zone-follower.ts';
import type { AnswerThreads } from './threads.ts';
import { type FeedEntry, packEntry, peekEntry } from './zone-feed.ts';
import type { ZoneLog } from './zone-log.ts';

/** Records read at once; a larger zone is read alone. */
const BATCH_RECORDS = 20_000;
/** From this size on, only changed RRsets are read again. */
const LARGE_ZONE_RECORDS = 500;
/** Approximate size of the bundles of disk entries for the threads. */
const BUNDLE_OCTETS = 1_048_576;

interface ZoneFeederOptions {
  readonly threads: AnswerThreads;
  readonly disk: ZoneLog;
  readonly log: Log;
}

/** Reads zones and passes them to the disk and to the answering threads. Keeps only names and serials. */
export class ZoneFeeder implements FollowedZones {
  readonly #options: ZoneFeederOptions;
  readonly #held = new Map<string, HeldZone>();
  #pending: Buffer[] = [];
  #hasDisk = true;
  #isComplete = false;

  constructor(options: ZoneFeederOptions) {
    this.#options = options;
  }

  /** Loads the copy on disk. True: it is complete. */
  async load(): Promise<boolean> {
    const { disk, threads, log } = this.#options;
    let bundle: Buffer[] = [];
    let octets = 0;
    const sendBundle = async () => {
      await threads.notify({ kind: 'feed', entries: bundle });
      bundle = [];
      octets = 0;
    };
    const { damaged, isComplete } = await disk.read(async (entry) => {
      const { kind, id, name, serial } = peekEntry(entry);
      const held = this.#held.get(id);
      // The base of a change may have been damaged.
      if (kind === 'complete' || (kind === 'edit' && !held)) return;
      if (kind === 'remove') this.#held.delete(id);
      else this.#held.set(id, { name: held && kind === 'edit' ? held.name : name, serial });
      bundle.push(entry);
      octets += entry.length;
      if (octets > BUNDLE_OCTETS) await sendBundle();
    });
    if (isComplete) bundle.push(packEntry({ kind: 'complete' }));
    await sendBundle();
    this.#isComplete = isComplete;
    if (damaged > 0) log.error({ damaged }, 'damaged zones on disk; reading them from the database');
    return isComplete;
  }

  get size(): number {
    return this.#held.size;
  }

  ids(): Iterable<string> {
    return this.#held.keys();
  }

  #push(entry: FeedEntry): void {
    this.#pending.push(packEntry(entry));
  }

  remove(id: string): void {
    if (this.#held.delete(id)) this.#push({ kind: 'remove', id });
  }

  complete(): void {
    if (!this.#isComplete) this.#push({ kind: 'complete' });
    this.#isComplete = true;
  }

  #putWhole(head: ZoneHead, rrsets: readonly RRset[]): void {
    this.#held.set(head.id, { name: head.name, serial: head.serial });
    this.#push({ kind: 'zone', id: head.id, name: head.name, serial: head.serial, rrsets: [head.soa, ...rrsets] });
  }

  async fill(tx: Tx, heads: readonly ZoneHead[]): Promise<ZoneHead[]> {
    const changed: ZoneHead[] = [];
    const whole: ZoneHead[] = [];
    for (const head of heads) {
      if (head.state !== 'active') {
        this.remove(head.id);
        changed.push(head);
      } else if (!isSame(this.#held.get(head.id), head)) {
        changed.push(head);
        if (!(await this.#followJournal(tx, head))) whole.push(head);
      }
    }
    for (const batch of batches(whole)) {
      const [first] = batch;
      if (batch.length === 1 && first!.recordCount > LARGE_ZONE_RECORDS)
        this.#putWhole(first!, await Array.fromAsync(streamRRsets(tx, first!.id)));
      else {
        const contents = await rrsetsOfZones(
          tx,
          batch.map((head) => head.id),
        );
        for (const head of batch) this.#putWhole(head, contents.get(head.id) ?? []);
      }
      await this.flush();
    }
    return changed;
  }

  async read(db: Database, ids: readonly string[]): Promise<ZoneHead[]> {
    const zones = await wholeZonesById(db.as(allTenants), ids, LARGE_ZONE_RECORDS);
    const found = new Set(zones.map(({ head }) => head.id));
    for (const id of ids) if (!found.has(id)) this.remove(id);
    const changed: ZoneHead[] = [];
    for (const { head, rrsets, isTooLarge } of zones) {
      if (head.state !== 'active') this.remove(head.id);
      else if (isTooLarge || isSame(this.#held.get(head.id), head)) continue;
      else this.#putWhole(head, rrsets);
      changed.push(head);
    }
    for (const { head } of zones.filter((zone) => zone.isTooLarge)) {
      const more = await inSnapshot(db, async (tx) => {
        const now = await zoneHead(tx, head.id);
        return now ? this.fill(tx, [now]) : [];
      });
      changed.push(...more);
    }
    return changed;
  }

  /** Reads only the changes of a large zone from the journal. False: the whole zone must be read. */
  async #followJournal(tx: Tx, head: ZoneHead): Promise<boolean> {
    const held = this.#held.get(head.id);
    if (held?.name !== head.name || head.recordCount < LARGE_ZONE_RECORDS) return false;
    if (this.#hasDisk && this.#options.disk.editShare(head.id) > 1) return false;
    if ((await movedSince(tx, head.id, held.serial)) * 2 > head.recordCount) return false;
    const steps = await journalSince(tx, head, held.serial);
    if (!steps) return false;
    const touched = new Map<string, { name: string; type: string }>();
    for (const step of steps)
      for (const { name, type } of [...step.deleted, ...step.added]) touched.set(`${name} ${type}`, { name, type });
    const present = await rrsetsAt(tx, head.id, [...touched.values()]);
    for (const rrset of present) touched.delete(`${rrset.name} ${rrset.type}`);
    this.#held.set(head.id, { name: head.name, serial: head.serial });
    const { id, serial } = head;
    this.#push({ kind: 'edit', id, serial, rrsets: [...present, head.soa], removed: [...touched.values()] });
    return true;
  }

  /** Resolves when the threads serve the new data. */
  async flush(): Promise<void> {
    const entries = this.#pending;
    if (entries.length === 0) return;
    this.#pending = [];
    await Promise.all([this.#options.threads.notify({ kind: 'feed', entries }), this.#keep(entries)]);
  }

  /** A full disk must not affect queries. */
  async #keep(entries: readonly Buffer[]): Promise<void> {
    if (!this.#hasDisk) return;
    try {
      await this.#options.disk.append(entries);
    } catch (error) {
      this.#hasDisk = false;
      this.#options.log.error({ err: error }, 'zones not written to disk; serving from memory');
    }
  }
}

function* batches(heads: readonly ZoneHead[]): Generator<ZoneHead[]> {
  let batch: ZoneHead[] = [];
  let records = 0;
  for (const head of heads) {
    if (batch.length > 0 && records + head.recordCount > BATCH_RECORDS) {
      yield batch;
      batch = [];
      records = 0;
    }
    batch.push(head);
    records += head.recordCount;
  }
  if (batch.length > 0) yield batch;
}
