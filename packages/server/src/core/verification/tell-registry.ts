import { everyTenant } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import { hideBy } from '../domains/registry/ensure-contacts.ts';
import type { Registry } from '../domains/registry/registry.ts';
import type { House } from '../house.ts';
import { inTurns } from '../jobs/turns.ts';
import { rulesOf } from '../tlds/rules-of.ts';
import { verificationPolicy } from './policy.ts';
import { type ConfirmedName, dueForTelling, tellAgainAt } from './verification.sql.ts';

const namesPerRun = 200;
/** RFC 5730 3, authorization error: it takes no such word from us. */
const notOurs = 2201;

/** Registries that ask holders themselves hear what was confirmed here, so that they need not ask. Safe to run twice. */
export async function tellRegistries(house: House): Promise<void> {
  const due = await dueForTelling(house.db.as(everyTenant), house.clock.now(), namesPerRun);
  const told = new Set<string>();
  await inTurns(house, 1, due, async (domain) => {
    const registry = await house.registries.of(domain.registry_id);
    const address = await addressThere(house, domain);
    const isTold = told.has(`${registry.id} ${address}`) || (await tell(house, registry, domain, address));
    if (isTold) told.add(`${registry.id} ${address}`);
    const { tellAgainMs } = verificationPolicy;
    const again = isTold ? null : new Date(house.clock.now().getTime() + tellAgainMs);
    await tellAgainAt(house.db.alone(everyTenant), domain.id, again);
  });
}

/** Behind a proxy the registry has the proxy's address, for which we speak ourselves. */
async function addressThere(house: House, domain: ConfirmedName): Promise<string> {
  const hide = hideBy(await rulesOf(house.db.as(everyTenant), domain.tld), domain.privacy_sent);
  return (hide?.method === 'proxy' ? hide.card.email : domain.email).toLowerCase();
}

/** False: not now, or not yet. */
async function tell(house: House, registry: Registry, domain: ConfirmedName, address: string): Promise<boolean> {
  if (!registry.confirmHolder) return true;
  const reply = await registry.confirmHolder(domain.name, { address, at: domain.verified_at });
  const key = `registry:${registry.id}:holders`;
  if (reply.kind === 'done') await clearAlarm(house, key);
  if (reply.kind === 'refused' && reply.evidence.code === notOurs)
    await raiseAlarm(house, {
      key,
      severity: 'critical',
      sentence: `registry ${registry.id} writes to our holders itself and does not count what they confirm here: their names go out of the DNS there. Ask its operator to let our account look after holders (reseller holders --by reseller)`,
      facts: { domain_id: domain.id },
    });
  return reply.kind === 'done';
}
