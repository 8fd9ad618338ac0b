import type { Reader, Tx } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import { contactRoles, type Domain } from '../../model/domain.ts';
import { keepsContacts, type TldRules } from '../../model/tld.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { setEndDate } from '../life.sql.ts';
import { hideBy } from '../registry/ensure-contacts.ts';
import { differences } from './compare.ts';
import { type Drift, recordDrift } from './drift.sql.ts';
import { knownHandles } from './reconcile.sql.ts';

/** Differences in the delegation: never reverted without a report, by rule or by hand. */
export const pointsElsewhere = (drift: Drift): boolean => drift.field === 'nameservers' || drift.field === 'ds';

export async function driftOfView(
  ctx: AppContext,
  db: Reader,
  domain: Domain,
  view: RegistryDomain,
  rules: TldRules,
): Promise<Drift[]> {
  const registry = await ctx.registries.of(domain.registry_id);
  const { sentRoles } = registry.capabilitiesOf(domain.name);
  const ids = contactRoles.flatMap((role) => domain[`${role}_contact_id`] ?? []);
  const shownAs = hideBy(rules, domain.privacy_sent)?.method ?? 'plain';
  const known = keepsContacts(rules) ? await knownHandles(db, domain.registry_id, ids, shownAs) : [];
  const handles = new Map(known.map((row) => [row.contact_id, row.handle]));
  return differences(domain, view, rules, handles, sentRoles).map((drift) =>
    drift.field === 'auto_renewal' && !registry.switchesAutoRenew ? { ...drift, action: 'reported' } : drift,
  );
}

export async function noteDrift(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  view: RegistryDomain,
  found: readonly Drift[],
): Promise<void> {
  const fresh: Drift[] = [];
  for (const drift of found) {
    if (drift.field === 'expiry') await setEndDate(tx, domain.id, view.expiresAt, ctx.clock.now());
    if (await recordDrift(tx, domain, drift, ctx.clock.now())) fresh.push(drift);
  }
  if (fresh.length > 0) await appendEvent(ctx, tx, lifeEvent(domain, 'domain.drift', { drift: fresh }));
}

const alarmKey = (domain: Domain): string => `drift:${domain.id}`;

export async function alarmDrift(ctx: AppContext, domain: Domain, drift: readonly Drift[]): Promise<void> {
  const reported = drift.filter(
    (each) => each.action === 'reported' || each.field === 'expiry' || pointsElsewhere(each),
  );
  if (reported.length === 0) return clearAlarm(ctx, alarmKey(domain));
  await raiseAlarm(ctx, {
    key: alarmKey(domain),
    severity: 'critical',
    sentence: `${domain.name} differs at its registry from our records: ${reported.map((each) => each.field).join(', ')}`,
    facts: { domain_id: domain.id, drift: reported },
  });
}
