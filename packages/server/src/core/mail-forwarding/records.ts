import { buildRRset, type Name, type RRset } from '@namehold/dns';
import type { Config } from '../../config.ts';
import type { JournalRecords } from '../model/zone.ts';
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
import { mailHosts } from './address.ts';
import { mailLimits } from './forward.ts';

export const mailKeeper: Keeper = { service: 'mail_forwarding', label: 'email forwarding', field: 'email' };
const { service, field, label } = mailKeeper;

/** Mail records of a domain. Undefined: none of ours are in its zone. */
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

/** Its records in the zone; to be added manually if the zone is elsewhere. */
export function mailRecords(config: Config, origin: Name, setup: MailSetup): JournalRecords[] {
  return [...keptRecords(config, origin, setup), ...(setup.receiveOnly ? [spf(origin)] : [])].map(asRecords);
}

/** Changes from one setup to another: removes unneeded records, restores the replaced ones, and adds the needed ones. */
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
  // Also for existing records, because the mail hosts may have changed.
  await claimRecords(draft, config, mailKeeper, keptRecords(config, origin, after), replacesRecords);
  if (after.receiveOnly && !before?.receiveOnly) {
    await claimSpf(draft, replacesRecords);
    await warnOfKeys(draft);
  }
}

/** An existing DKIM key of the owner stays valid beside the empty wildcard key, so mail can still be signed with it. */
async function warnOfKeys(draft: ZoneDraft): Promise<void> {
  for (const name of await textsBelow(draft.tx, draft.zone.id, `_domainkey.${draft.zone.name}`, selectorsShown))
    if (name !== dkimName(draft.zone.name))
      draft.warnings.push({
        name,
        type: 'TXT',
        reason: 'one of your DKIM keys stays valid: remove it if it is not used to sign mail',
      });
}

const isSpf = (text: string) => /^"v=spf1(\s|"|$)/i.test(text);

/** A domain has one SPF record among its other texts. Ours is added to the owner's TXT records without claiming the set. */
async function claimSpf(draft: ZoneDraft, replacesRecords: boolean): Promise<void> {
  const name = draft.zone.name;
  const [ours] = spf(name).records;
  const present = draft.rrset(name, 'TXT');
  const others = (present?.records ?? []).filter((record) => isSpf(record.text) && record.text !== ours!.text);
  if (others.length > 0) {
    const displaced = asRecords({ ...present!, records: others });
    if (!replacesRecords) throw inTheWay([displaced], label);
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
  // Two SPF records are invalid. A newer one of the owner stays, and the replaced one is in the history.
  if (!stay.some((record) => isSpf(record.text))) bringBack(draft, mailKeeper, displaced);
}
