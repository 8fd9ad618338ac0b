import { query, RCODE, type RRset, readMessage, writeMessage } from '@namehold/dns';
import { allTenants, type Reader } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../core/alarms/alarm.ts';
import type { AppContext } from '../../core/app-context.ts';
import { namesAbove } from '../../core/model/zone.ts';
import type { Nameserver } from '../../core/nameservers/nameserver.ts';
import { sampleZones } from '../../core/nameservers/publication.sql.ts';
import { type ZoneHead, zoneHead } from '../../core/zones/publish/zone-head.sql.ts';
import { rrsetsAt, spreadRRsets } from '../../core/zones/rrsets/rrset.sql.ts';
import type { DnsClient } from './dns-client.ts';

const SAMPLE_ZONES = 200;
const SAMPLE_RRSETS = 3;
/** Factor of additional names to read, because some may be below a delegation. */
const SPARE = 4;
const ANSWER_TIMEOUT_MS = 2_000;

interface Difference {
  readonly nameserver: string;
  readonly zone: string;
  readonly rrset: string;
}

/** Compares responses with the database, because an equal serial does not prove equal content. */
export async function sweep(
  ctx: AppContext,
  dnsClient: DnsClient,
  nameservers: readonly Nameserver[],
  sampleSize = SAMPLE_ZONES,
): Promise<Difference[]> {
  const db = ctx.db.as(allTenants);
  const differences: Difference[] = [];
  for (const { id } of await sampleZones(db, sampleSize)) {
    const head = await zoneHead(db, id);
    if (head?.state !== 'active') continue;
    const rrsets = (await answeredRRsets(db, head)).slice(0, SAMPLE_RRSETS);
    const found = await Promise.all(
      nameservers.map((nameserver) => compareZone(dnsClient, nameserver, head, [head.soa, ...rrsets])),
    );
    differences.push(...found.flat());
  }
  for (const nameserver of nameservers) await report(ctx, nameserver, differences);
  return differences;
}

/** A sample of a zone. Names below a delegation get a referral, so they are skipped. */
async function answeredRRsets(db: Reader, head: ZoneHead): Promise<RRset[]> {
  const spread = await spreadRRsets(db, head.id, SAMPLE_RRSETS * SPARE);
  const upwards = (set: RRset) => [set.name, ...namesAbove(set.name, head.name)].filter((name) => name !== head.name);
  const above = await rrsetsAt(db, head.id, [...new Set(spread.flatMap(upwards))]);
  const cuts = new Set(above.filter((set) => set.type === 'NS').map((set) => set.name));
  return spread.filter((set) => !upwards(set).some((name) => cuts.has(name)));
}

async function compareZone(
  dnsClient: DnsClient,
  nameserver: Nameserver,
  head: ZoneHead,
  rrsets: readonly RRset[],
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const rrset of rrsets) {
    const answer = await dnsClient.exchange(
      nameserver,
      (id) => writeMessage(query(id, rrset.name, rrset.type)),
      ANSWER_TIMEOUT_MS,
    );
    // No answer and refusals are handled by the watcher; a truncated response cannot be compared.
    const differs = answer && answerDiffers(answer, rrset);
    if (differs) found.push({ nameserver: nameserver.id, zone: head.name, rrset: `${rrset.name} ${rrset.type}` });
    // Another serial means that a change is in progress, which the watcher handles.
    if (differs && rrset.type === 'SOA') return [];
  }
  return found;
}

function answerDiffers(answer: Buffer, rrset: RRset): boolean {
  try {
    const message = readMessage(answer);
    if (message.flags.truncated || message.rcode === RCODE.REFUSED || message.rcode === RCODE.SERVFAIL) return false;
    const own = rrset.records.map((record) => hex(record.wire)).sort();
    const theirs = message.answer.filter((rr) => rr.type === rrset.type).map((rr) => hex(rr.rdata));
    return own.join() !== theirs.sort().join();
  } catch {
    return true;
  }
}

const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');

async function report(ctx: AppContext, { id }: Nameserver, differences: readonly Difference[]): Promise<void> {
  const own = differences.filter((difference) => difference.nameserver === id);
  const key = `nameserver-differs:${id}`;
  if (own.length === 0) return clearAlarm(ctx, key);
  await raiseAlarm(ctx, {
    key,
    severity: 'critical',
    sentence: `nameserver ${id} returns ${own.length} of the compared RRsets with other content than the database`,
    facts: { nameserver: id, examples: own.slice(0, 5) },
  });
}
