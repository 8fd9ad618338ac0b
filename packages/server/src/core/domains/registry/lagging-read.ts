import { allTenants } from '@namehold/base';
import type { Run } from '../../operations/run.ts';
import { readDomain } from '../domain.sql.ts';
import { lifePolicy } from '../lifecycle.ts';
import type { RegistryDomain, Reply } from './registry.ts';

/** A registry may read from a copy that lags. So long it is waited for; what it still shows then is believed. */
const lagWaitMs = 60_000;

export const tooOld = {
  kind: 'unsent',
  why: 'the registry shows the name as it was before',
} as const satisfies Reply<never>;

/** Not there although we hold it, or with a date that the registry itself has told us to be over: no plan is made from that. */
export async function isOlderThanReported(run: Run, view: RegistryDomain | null): Promise<boolean> {
  const { ctx, operation } = run;
  if (operation.domain_id === null) return false;
  const domain = await readDomain(ctx.db.as(allTenants), operation.domain_id);
  if (domain.state !== 'live') return false;
  if (!view) return true;
  const [shown, reported] = [view.expiresAt, domain.registry_expires_at];
  return shown !== null && reported !== null && reported.getTime() - shown.getTime() > lifePolicy.sameExpiryMs;
}

/** Of a clock that was put back, or another process's that runs ahead, nothing is to be waited for. */
export function isYoung({ ctx, operation }: Run): boolean {
  return Math.abs(ctx.wall.now().getTime() - operation.created_at.getTime()) < lagWaitMs;
}
