import { allTenants } from '@namehold/postgres';
import type { Run } from '../../operations/run.ts';
import type { RegistryDomain, Reply } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { lifePolicy } from '../lifecycle.ts';

/** A registry may read from a replica that lags. Reads are repeated for this long; after that the view is accepted. */
const lagWaitMs = 60_000;

export const staleRead = {
  kind: 'unsent',
  why: 'the registry still shows an earlier status of the domain',
} as const satisfies Reply<never>;

/** A domain of ours that is missing, or a date that the registry itself has already replaced: no plan is made from such a view. */
export async function isStale(run: Run, view: RegistryDomain | null): Promise<boolean> {
  const { ctx, operation } = run;
  if (operation.domain_id === null) return false;
  const domain = await readDomain(ctx.db.as(allTenants), operation.domain_id);
  if (domain.state !== 'live') return false;
  if (!view) return true;
  const [shown, reported] = [view.expiresAt, domain.registry_expires_at];
  return shown !== null && reported !== null && reported.getTime() - shown.getTime() > lifePolicy.sameExpiryMs;
}

/** If the clock was set back, or another process's clock is ahead, there is nothing to wait for. */
export function mayBeStaleRead({ ctx, operation }: Run): boolean {
  return Math.abs(ctx.wall.now().getTime() - operation.created_at.getTime()) < lagWaitMs;
}
