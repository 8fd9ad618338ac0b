import { type JournalStep, type Name, parseRecord, type RR, type RRset, rrsOf } from '@namehold/dns';
import { inSnapshot, type Reader } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import type { JournalRecords } from '../../model/zone.ts';
import { type Change, changesAfter } from '../change/change.sql.ts';
import { allRRsets, pageOfRRsets } from '../rrsets/rrset.sql.ts';
import { soaTtlSeconds } from '../soa.ts';
import { type ZoneHead, zoneHeadByName } from './zone-head.sql.ts';

/** The whole zone except its SOA. */
export function zoneRRsets(db: Reader, zoneId: string): Promise<RRset[]> {
  return allRRsets(db, zoneId);
}

const streamPageRRsets = 2_000;

/**
 * In pages, for zones that are too large for memory. It uses several statements, so run it in a `repeatable read` transaction for a
 * consistent snapshot.
 */
export async function* streamZone(db: Reader, zoneId: string, pageSize = streamPageRRsets): AsyncGenerator<RRset> {
  let after: { name: Name; type: string } | undefined;
  for (;;) {
    const page = await pageOfRRsets(db, zoneId, { limit: pageSize, ...(after ? { after } : {}) });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = { name: last.name, type: last.type };
  }
}

/** A consistent snapshot of head and content. */
export async function zoneSnapshot(
  ctx: Pick<AppContext, 'db'>,
  name: Name,
): Promise<{ readonly head: ZoneHead; readonly rrsets: RRset[] } | undefined> {
  return inSnapshot(ctx.db, async (tx) => {
    const head = await zoneHeadByName(tx, name);
    return head && { head, rrsets: await allRRsets(tx, head.id) };
  });
}

/** The steps from a held serial to the present one, for IXFR: empty if it is current, undefined if a full transfer is needed. */
export async function journalSince(
  db: Reader,
  zone: Pick<ZoneHead, 'id' | 'name' | 'serial'>,
  serial: number,
): Promise<JournalStep[] | undefined> {
  if (serial === zone.serial) return [];
  const changes = await changesAfter(db, zone.id, serial);
  if (!changes || changes.some((change) => change.serial_from === null)) return undefined;
  // The head may be older than the journal: later changes belong to the next transfer.
  const upTo = changes.findIndex((change) => change.serial_to === zone.serial);
  return upTo < 0 ? undefined : changes.slice(0, upTo + 1).map((change) => stepOf(zone.name, change));
}

function stepOf(zone: Name, change: Change): JournalStep {
  const soa = (text: string): RR =>
    [...rrsOf(textRRset({ name: zone, type: 'SOA', ttl: soaTtlSeconds, records: [text] }))][0]!;
  return {
    oldSoa: soa(change.soa_from!),
    newSoa: soa(change.soa_to),
    deleted: { [Symbol.iterator]: () => recordsOf(change.deleted) },
    added: { [Symbol.iterator]: () => recordsOf(change.added) },
  };
}

/** Parsed from text one by one, as they are sent. */
function* recordsOf(sets: readonly JournalRecords[]): Generator<RR> {
  for (const set of sets) yield* rrsOf(textRRset(set));
}

/** From the journal's canonical text to a set with rdata. */
function textRRset(set: JournalRecords): RRset {
  const records = set.records.map((text) => {
    const { wire } = parseRecord(set.type, text);
    return { text, wire };
  });
  return { name: set.name, type: set.type, ttl: set.ttl, records };
}
