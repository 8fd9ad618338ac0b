import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { hideBy } from '../domains/registry/ensure-contacts.ts';
import { forEachParallel } from '../jobs/run-items.ts';
import { verificationPolicy } from '../policy/verification.ts';
import type { Registry } from '../ports/registry.ts';
import { rulesOf } from '../tlds/rules-of.ts';
import { type ConfirmedName, dueForRegistryReport, scheduleRegistryReport } from './verification.sql.ts';

const namesPerRun = 200;
/** RFC 5730 section 3, authorization error: the registry does not accept this report from us. */
const notOurs = 2201;

/** Reports confirmations to registries that verify registrants themselves, so that they need not. Safe to run twice. */
export async function reportToRegistries(ctx: AppContext): Promise<void> {
  const due = await dueForRegistryReport(ctx.db.as(allTenants), ctx.clock.now(), namesPerRun);
  const reported = new Set<string>();
  await forEachParallel(ctx, 1, due, async (domain) => {
    const registry = await ctx.registries.of(domain.registry_id);
    const address = await addressThere(ctx, domain);
    const isReported =
      reported.has(`${registry.id} ${address}`) || (await reportConfirmation(ctx, registry, domain, address));
    if (isReported) reported.add(`${registry.id} ${address}`);
    const { reportAgainMs } = verificationPolicy;
    const again = isReported ? null : new Date(ctx.clock.now().getTime() + reportAgainMs);
    await scheduleRegistryReport(ctx.db.autocommit(allTenants), domain.id, again);
  });
}

/** Behind a proxy contact the registry has the proxy's address, which belongs to the service. */
async function addressThere(ctx: AppContext, domain: ConfirmedName): Promise<string> {
  const hide = hideBy(await rulesOf(ctx.db.as(allTenants), domain), domain.privacy_sent);
  return (hide?.method === 'proxy' ? hide.card.email : domain.email).toLowerCase();
}

/** False: not now, or not yet. */
async function reportConfirmation(
  ctx: AppContext,
  registry: Registry,
  domain: ConfirmedName,
  address: string,
): Promise<boolean> {
  if (!registry.confirmRegistrant) return true;
  const reply = await registry.confirmRegistrant(domain.name, { address, at: domain.verified_at });
  const key = `registry:${registry.id}:holders`;
  if (reply.kind === 'done') await clearAlarm(ctx, key);
  if (reply.kind === 'refused' && reply.evidence.code === notOurs)
    await raiseAlarm(ctx, {
      key,
      severity: 'critical',
      sentence: `registry ${registry.id} verifies our registrants itself and does not accept confirmations made here, so it suspends their domains. Ask its operator to let our account manage registrants with "namehold reseller registrants ID --by reseller"`,
      facts: { domain_id: domain.id },
    });
  return reply.kind === 'done';
}
