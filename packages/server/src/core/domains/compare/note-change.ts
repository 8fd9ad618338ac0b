import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import type { AppContext } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import type { Domain } from '../../model/domain.ts';
import type { PollMessage, RegistryDomain } from '../../ports/registry.ts';
import { type MessageKey, markReported } from './poll.sql.ts';

type Change = Extract<PollMessage['content'], { kind: 'change' }>;

/** The registry's view of a domain without personal data. */
const shownOf = ({ statuses, rgpStatuses, expiresAt, nameservers, ds, sponsor }: Partial<RegistryDomain>) => ({
  statuses,
  rgp_statuses: rgpStatuses,
  expires_at: expiresAt,
  nameservers,
  ds,
  sponsor,
});

/**
 * RFC 8590: the registry changed the domain. The actor, the reason and the values are written to the audit log once, and the reseller
 * gets an event.
 */
export async function noteChange(ctx: AppContext, key: MessageKey, domain: Domain, content: Change): Promise<void> {
  const { state, operation, detail, who, reason, dispute, at, svTRID } = content.change;
  const act = { operation, detail, who, reason, dispute, at };
  const shown = shownOf(content.shown);
  await ctx.db.transaction(allTenants, async (tx) => {
    if (!(await markReported(tx, key, ctx.wall.now()))) return;
    await audit(ctx, tx, schedulerFor(domain, `registry ${key.registryId}: ${svTRID}`), {
      action: 'domain.changed_at_registry',
      objectType: 'domain',
      objectId: domain.id,
      before: state === 'before' ? shown : null,
      after: state === 'before' ? act : { ...act, ...shown },
    });
    // The message is stored as JSON, so its dates are read back as text.
    const payload = { ...act, at: new Date(at), state, statuses: content.shown.statuses ?? [] };
    await appendEvent(ctx, tx, lifeEvent(domain, 'domain.changed_at_registry', payload));
  });
}
