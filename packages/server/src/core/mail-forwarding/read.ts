import type { Reader } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { whyBlocked } from '../forwarding/served.ts';
import type { Domain } from '../model/domain.ts';
import { type JournalRecords, zoneName } from '../model/zone.ts';
import { displacedOf } from '../zones/change/displaced.sql.ts';
import { usesOurNameservers } from '../zones/life/at-registration.ts';
import { overallState, publicationOf } from '../zones/publish/publication.ts';
import { findZone } from '../zones/zone.sql.ts';
import type { MailForward, TargetState } from './forward.ts';
import { findMailDomain, forwardsOf, type MailSettingsRow, targetStatesOf } from './mail-domain.sql.ts';
import { stsKeeper } from './mta-sts.ts';
import { routeOf } from './read-routes.ts';
import { mailKeeper, mailRecords } from './records.ts';

type ForwardState = 'waiting_dns' | 'waiting_target' | 'live' | 'blocked' | 'off';

/** The addresses of a domain, the consent states of their targets, its records, and its status. */
export interface MailStatus {
  readonly domain: Domain;
  readonly row: MailSettingsRow;
  readonly forwards: readonly MailForward[];
  readonly states: Readonly<Record<string, TargetState>>;
  /** False: the delegation points to other nameservers. */
  readonly isElsewhere: boolean;
  /** Every nameserver has the current zone. */
  readonly isPublished: boolean;
  readonly records: readonly JournalRecords[];
  /** Replaced records of the owner, which are restored at the end. */
  readonly displaced: readonly JournalRecords[];
}

export const isOn = (forwards: readonly MailForward[]): boolean => forwards.some((forward) => forward.enabled);

export async function readMail(ctx: AppContext, domain: Domain): Promise<MailStatus> {
  const db = ctx.db.as(domain.reseller_id);
  return mailStatusOf(ctx, db, domain, await findMailDomain(db, domain), await forwardsOf(db, domain));
}

export async function mailStatusOf(
  ctx: AppContext,
  db: Reader,
  domain: Domain,
  row: MailSettingsRow,
  forwards: readonly MailForward[],
): Promise<MailStatus> {
  const zone = await findZone(db, domain.reseller_id, domain.id);
  const nameservers = zone ? await publicationOf(db, zone, ctx.wall.now()) : [];
  const targets = [...new Set(forwards.flatMap((forward) => forward.targets))];
  return {
    domain,
    row,
    forwards,
    states: await targetStatesOf(db, domain, targets),
    isElsewhere: !usesOurNameservers(ctx, domain.nameservers),
    isPublished: overallState(nameservers) === 'published',
    records: isOn(forwards) ? mailRecords(ctx.config, zoneName(domain.name), { receiveOnly: row.receive_only }) : [],
    displaced: zone
      ? [...(await displacedOf(db, zone, mailKeeper.service)), ...(await displacedOf(db, zone, stsKeeper.service))]
      : [],
  };
}

/** Why mail for the domain does not arrive here. Undefined: it does. */
export function whyNoMail(
  mailStatus: MailStatus,
): { readonly state: ForwardState; readonly reason: string } | undefined {
  const blocked = whyBlocked(mailStatus.domain);
  if (blocked !== undefined) return { state: 'blocked', reason: blocked };
  if (mailStatus.isElsewhere)
    return { state: 'waiting_dns', reason: 'the domain uses other nameservers: set the records there' };
  return mailStatus.isPublished
    ? undefined
    : { state: 'waiting_dns', reason: 'not every nameserver has the records yet' };
}

export function forwardStateOf(
  mailStatus: MailStatus,
  forward: MailForward,
): { readonly state: ForwardState; readonly reason: string | null } {
  if (!forward.enabled) return { state: 'off', reason: null };
  const missing = whyNoMail(mailStatus);
  if (missing) return missing;
  const route = routeOf(forward, mailStatus.states);
  if (route.kind === 'wait') return { state: 'waiting_target', reason: route.why };
  if (route.kind === 'refused' && forward.action === 'forward') return { state: 'blocked', reason: route.why };
  return { state: 'live', reason: null };
}
