import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { forEachParallel } from '../../jobs/run-items.ts';
import { describe } from '../../model/evidence.ts';
import type { TldRules } from '../../model/tld.ts';
import type { Run } from '../../operations/run.ts';
import { setTransferLock } from '../change/lift-transfer-lock.ts';
import { switchTheftProtection } from '../change/theft-protection.ts';
import { owedProtection, postponeProtection } from './protect-new.sql.ts';

/** `owed`: theft protection should be on and is not, or its status is unknown; a background job retries. */
export type Protection = { readonly kind: 'on' | 'off' } | { readonly kind: 'pending'; readonly why: string };

/**
 * Theft protection of a domain that was just registered or transferred in. It is a step of that order, so that the buyer's next call
 * meets no other open operation. The order succeeds even if this step fails.
 */
export async function protectNew(
  run: Run<'register' | 'transfer'>,
  rules: TldRules,
  chosen: boolean | null,
): Promise<Protection> {
  const { ctx, operation } = run;
  const isWanted = chosen ?? ctx.config.theftProtection === 'on';
  if (!isWanted || rules.theft_protection_offered === false) return { kind: 'off' };
  const reply = await setTransferLock(run, 'protect', operation.request.name);
  if (reply.kind === 'done' && !reply.pending) return { kind: 'on' };
  if (reply.kind === 'done') return { kind: 'pending', why: 'the registry reviews the lock' };
  return { kind: 'pending', why: reply.kind === 'refused' ? describe(reply.evidence) : reply.why };
}

const namesPerRun = 100;
const againMs = 3_600_000;

/** New domains whose lock could not be set: retried once an hour until it is set or a caller sets the protection explicitly. */
export async function protectOwed(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  const again = new Date(now.getTime() + againMs);
  await forEachParallel(ctx, 1, await owedProtection(ctx.db.as(allTenants), now, namesPerRun), async (domain) => {
    await postponeProtection(ctx.db.autocommit(allTenants), domain.id, again);
    try {
      const actor = schedulerFor(domain, 'protect-new-domains');
      await ctx.engine.start(await switchTheftProtection(ctx, actor, domain.id, undefined, true));
    } catch (error) {
      // A lock or another open operation: retried an hour later.
      if (!(error instanceof Refusal)) throw error;
    }
  });
}
