import { setImmediate } from 'node:timers/promises';
import type { Queryable, Tx } from '@namehold/base';
import { type RRset, ServedZone } from '@namehold/dns';
import type { Log } from '../core/house.ts';
import {
  movedSince,
  rrsetsAt,
  rrsetsOfZones,
  streamRRsets,
  type WholeZone,
} from '../core/nameservers/zone-content.sql.ts';
import { journalSince, type ZoneHead } from '../core/zones/publish.ts';
import type { ZoneStore } from './zone-store.ts';

/** Laying out more at once would keep questions waiting. */
const HUGE_ZONE_RECORDS = 5_000;
const PIECE_RRSETS = 500;
/** Records read at once; a larger zone comes alone. */
const BATCH_RECORDS = 20_000;
/** From this size on, only the RRsets that a change names are read again. */
export const LARGE_ZONE_RECORDS = 500;

/** Brings the store to what `heads` say, all of one snapshot. Gives those that were new to it. */
export async function fillStore(db: Tx, store: ZoneStore, heads: readonly ZoneHead[], log: Log): Promise<ZoneHead[]> {
  const changed: ZoneHead[] = [];
  const whole: ZoneHead[] = [];
  for (const head of heads) {
    if (head.state !== 'active') {
      store.remove(head.id);
      changed.push(head);
    } else if (store.serialOf(head.id) !== head.serial) {
      changed.push(head);
      if (!(await followJournal(db, store, head))) whole.push(head);
    }
  }
  for (const head of whole.filter(isHuge)) store.adopt(head.id, await buildHuge(db, head));
  for (const batch of batches(whole.filter((head) => !isHuge(head)))) {
    const contents = await rrsetsOfZones(
      db,
      batch.map((head) => head.id),
    );
    for (const head of batch) putWhole(store, head, contents.get(head.id) ?? [], log);
  }
  return changed;
}

/** Small zones that were read with their content. */
export function putZones(store: ZoneStore, zones: readonly WholeZone[], log: Log): ZoneHead[] {
  const changed: ZoneHead[] = [];
  for (const { head, rrsets, isTooLarge } of zones) {
    if (head.state !== 'active') store.remove(head.id);
    else if (isTooLarge || store.serialOf(head.id) === head.serial) continue;
    else putWhole(store, head, rrsets, log);
    changed.push(head);
  }
  return changed;
}

/** One zone that cannot be laid out must not keep the others from being served. */
function putWhole(store: ZoneStore, head: ZoneHead, rrsets: readonly RRset[], log: Log): void {
  try {
    store.put(head, [head.soa, ...rrsets]);
  } catch (error) {
    log.error({ err: error, zone: head.name }, 'a zone cannot be served');
  }
}

const isHuge = (head: ZoneHead) => head.recordCount > HUGE_ZONE_RECORDS;

/** Laid out piece by piece aside, so that questions are answered in between. */
async function buildHuge(tx: Tx, head: ZoneHead): Promise<ServedZone> {
  const zone = new ServedZone(head.name, [head.soa]);
  let count = 0;
  for await (const rrset of streamRRsets(tx, head.id)) {
    zone.put(rrset);
    if (++count % PIECE_RRSETS === 0) await setImmediate();
  }
  return zone;
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

/** A large zone that we hold: only what the journal names is read. False when the whole zone must be. */
async function followJournal(db: Queryable, store: ZoneStore, head: ZoneHead): Promise<boolean> {
  const served = store.find(head.id);
  if (!served || head.recordCount < LARGE_ZONE_RECORDS) return false;
  if ((await movedSince(db, head.id, served.serial)) * 2 > head.recordCount) return false;
  const steps = await journalSince(db, head, served.serial);
  if (!steps) return false;
  const touched = new Map<string, { name: string; type: string }>();
  for (const step of steps)
    for (const { name, type } of [...step.deleted, ...step.added]) touched.set(`${name} ${type}`, { name, type });
  const present = await rrsetsAt(db, head.id, [...touched.values()]);
  for (const rrset of present) touched.delete(`${rrset.name} ${rrset.type}`);
  for (const rrset of present) served.put(rrset);
  for (const { name, type } of touched.values()) served.remove(name, type);
  served.put(head.soa);
  return true;
}
