import type { Tx } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import type { Domain } from '../../model/domain.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { queueRegistryReport, setRegistryHold } from '../domain.sql.ts';

/** RFC 5731 2.3: only the registry can remove serverHold. */
function holdOf(view: RegistryDomain): Domain['registry_hold'] {
  if (!view.isOurs || !view.statuses.includes('serverHold')) return null;
  return view.confirmation === 'held' ? 'unverified' : 'other';
}

const isConfirmedHere = ({ verify_since: since, verify_by: by }: Domain): boolean => since !== null && by === null;

/**
 * One event when a hold by the registry begins and one when it ends. If the registrant is confirmed here, the confirmation is sent to
 * the registry.
 */
export async function noteRegistryHold(ctx: AppContext, tx: Tx, domain: Domain, view: RegistryDomain): Promise<void> {
  if (view.confirmation && isConfirmedHere(domain)) await queueRegistryReport(tx, domain.id, ctx.clock.now());
  const hold = holdOf(view);
  if (hold === domain.registry_hold) return;
  await setRegistryHold(tx, domain.id, hold);
  await appendEvent(ctx, tx, lifeEvent(domain, 'domain.registry_hold', { because: hold }));
}

/**
 * If we wait for the registrant too, events and mails already report it. If not, the domain is out of the DNS although our records show
 * no problem.
 */
export async function emitRegistryHold(ctx: AppContext, domain: Domain, view: RegistryDomain | null): Promise<void> {
  const key = `hold:${domain.id}`;
  if (view && holdOf(view) === 'unverified' && domain.verify_by === null && !domain.unverified) {
    const cure = isConfirmedHere(domain)
      ? 'it was confirmed here and reported to the registry; if the registry does not accept that, contact its operator'
      : "no confirmation is requested here: the registrant must answer the registry's mail";
    const sentence = `${domain.name} is out of the DNS: registry ${domain.registry_id} has no confirmation of its registrant's address; ${cure}`;
    return raiseAlarm(ctx, { key, severity: 'critical', sentence, facts: { domain_id: domain.id } });
  }
  if (domain.registry_hold === 'unverified') await clearAlarm(ctx, key);
}
