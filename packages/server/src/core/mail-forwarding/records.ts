import { buildRRset, type Name, type RRset } from '@namehold/dns';
import type { Config } from '../../config.ts';
import { insertDisplaced, takeDisplaced } from '../zones/change/displaced.sql.ts';
import type { ZoneDraft } from '../zones/change/draft.ts';
import {
  asRecords,
  bringBack,
  claimRecords,
  inTheWay,
  type Keeper,
  releaseRecords,
} from '../zones/change/managed-records.ts';
import { textsBelow } from '../zones/rrsets/rrset.sql.ts';
import type { JournalRecords } from '../zones/zone.ts';
import { mailHosts } from './address.ts';
import { mailLimits } from './forward.ts';

export const mailKeeper: Keeper = { service: 'mail_forwarding', word: 'mail forwarding', field: 'email' };
const { service, field, word } = mailKeeper;

/** How a name is set up; undefined: nothing of ours stands in its zone. */
export interface MailSetup {
  readonly receiveOnly: boolean;
}

const selectorsShown = 20;

const build = (name: Name, type: string, records: readonly string[]): RRset =>
  buildRRset({ name, type, ttl: mailLimits.recordTtlSeconds, records }, { origin: name }).rrset;

const dmarcName = (origin: Name): Name => `_dmarc.${origin}`;
const dkimName = (origin: Name): Name => `*._domainkey.${origin}`;

function keptRecords(config: Config, origin: Name, { receiveOnly }: MailSetup): RRset[] {
  const hosts = mailHosts(config).map((host, at) => `${(at + 1) * 10} ${host}.`);
  const mx = build(origin, 'MX', hosts);
  if (!receiveOnly) return [mx];
  return [
    mx,
    build(dmarcName(origin), 'TXT', ['"v=DMARC1; p=reject"']),
    build(dkimName(origin), 'TXT', ['"v=DKIM1; p="']),
  ];
}

const spf = (origin: Name): RRset => build(origin, 'TXT', ['"v=spf1 -all"']);

/** All that stands in the zone for it; by hand where the zone is elsewhere. */
export function mailRecords(config: Config, origin: Name, setup: MailSetup): JournalRecords[] {
  return [...keptRecords(config, origin, setup), ...(setup.receiveOnly ? [spf(origin)] : [])].map(asRecords);
}

/** From one setup to another: what is no longer needed goes and what gave way to it is back; what is needed stands. */
export async function moveMailRecords(
  draft: ZoneDraft,
  config: Config,
  before: MailSetup | undefined,
  after: MailSetup | undefined,
  replacesRecords: boolean,
): Promise<void> {
  const origin = draft.zone.name;
  const extra = [dmarcName(origin), dkimName(origin)];
  await draft.load([origin, ...extra]);
  if (before?.receiveOnly && !after?.receiveOnly) {
    await releaseRecords(draft, mailKeeper, extra);
    await releaseSpf(draft);
  }
  if (before && !after) await releaseRecords(draft, mailKeeper, [origin]);
  if (!after) return;
  // Also where they stand already: the mail hosts may be others by now.
  await claimRecords(draft, config, mailKeeper, keptRecords(config, origin, after), replacesRecords);
  if (after.receiveOnly && !before?.receiveOnly) {
    await claimSpf(draft, replacesRecords);
    await warnOfKeys(draft);
  }
}

/** A key of the owner stands beside the empty one for all others: who has it can sign on. */
async function warnOfKeys(draft: ZoneDraft): Promise<void> {
  for (const name of await textsBelow(draft.tx, draft.zone.id, `_domainkey.${draft.zone.name}`, selectorsShown))
    if (name !== dkimName(draft.zone.name))
      draft.warnings.push({
        name,
        type: 'TXT',
        reason: 'a DKIM key of yours stays valid: take it away if nobody signs with it',
      });
}

const isSpf = (text: string) => /^"v=spf1(\s|"|$)/i.test(text);

/** A name has one SPF record among its other texts, which stay the owner's: ours stands beside them and claims nothing. */
async function claimSpf(draft: ZoneDraft, replacesRecords: boolean): Promise<void> {
  const name = draft.zone.name;
  const [ours] = spf(name).records;
  const present = draft.rrset(name, 'TXT');
  const others = (present?.records ?? []).filter((record) => isSpf(record.text) && record.text !== ours!.text);
  if (others.length > 0) {
    const displaced = asRecords({ ...present!, records: others });
    if (!replacesRecords) throw inTheWay([displaced], word);
    await insertDisplaced(draft.tx, draft.zone, service, [displaced]);
  }
  const stay = (present?.records ?? []).filter((record) => !isSpf(record.text));
  const ttl = present?.ttl ?? mailLimits.recordTtlSeconds;
  draft.put({ name, type: 'TXT', ttl, records: [...stay, ours!] }, field, service);
}

async function releaseSpf(draft: ZoneDraft): Promise<void> {
  const name = draft.zone.name;
  const [ours] = spf(name).records;
  const present = draft.rrset(name, 'TXT');
  const stay = (present?.records ?? []).filter((record) => record.text !== ours!.text);
  if (present) draft.put({ ...present, records: stay }, field, service);
  const displaced = await takeDisplaced(draft.tx, draft.zone, service, [name], ['TXT']);
  // Two SPF records are none at all: one that the owner has written since counts, and the former is in the history.
  if (!stay.some((record) => isSpf(record.text))) bringBack(draft, mailKeeper, displaced);
}
