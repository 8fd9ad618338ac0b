import { addDays } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { readDomain } from '../tables/domain.sql.ts';
import { changeZone } from '../zones/change/change-zone.ts';
import { forwardsOf, lockMailDomain } from './mail-domain.sql.ts';
import { keepSts, stsDue } from './mta-sts.sql.ts';
import { moveSts, offersSts, policyText, stsLimits, stsOf } from './mta-sts.ts';
import { isOn } from './read.ts';
import { moveMailRecords } from './records.ts';

const namesPerRun = 100;

/**
 * One round: policies with a complete test period are enforced, and return to testing only if a mail host has no valid certificate.
 * Idempotent.
 */
export async function updateMtaSts(ctx: AppContext): Promise<void> {
  const { config } = ctx;
  const now = ctx.clock.now();
  const modes = ['testing', 'enforce', 'none'] as const;
  const due = await stsDue(ctx.db.as(allTenants), {
    hosts: config.mailHosts,
    isOffered: offersSts(config),
    policies: Object.fromEntries(modes.map((mode) => [mode, policyText(mode, config.mailHosts)])),
    testedBefore: addDays(now, -stsLimits.testingDays),
    takenBackBefore: addDays(now, -stsLimits.takenBackDays),
    limit: namesPerRun,
  });
  for (const { id } of due) {
    const domain = await readDomain(ctx.db.as(allTenants), id);
    const actor = schedulerFor(domain, 'mta-sts');
    const options = { kind: 'change', comment: 'MTA-STS' } as const;
    await changeZone(ctx, actor, domain, options, async (draft) => {
      const row = await lockMailDomain(draft.tx, domain);
      const on = isOn(await forwardsOf(draft.tx, domain));
      const setup = on ? { receiveOnly: row.receive_only } : undefined;
      // The mail hosts may have changed: policy and MX records change together.
      await moveMailRecords(draft, config, setup, setup, false);
      await moveSts(ctx, draft, domain, stsOf(row), { isOn: on, replacesRecords: false });
    }).catch((error: unknown) => leaveToOwner(ctx, id, error));
  }
}

/** Records of the owner are at the same names: they stay, and the domain gets no policy. */
async function leaveToOwner(ctx: AppContext, id: string, error: unknown): Promise<void> {
  if (!(error instanceof Refusal)) throw error;
  ctx.log.info({ domain_id: id, why: error.message }, 'MTA-STS policy not published');
  if (error.code !== 'conflict') return;
  await ctx.db.transaction(allTenants, async (tx) => {
    const domain = await readDomain(tx, id);
    await keepSts(tx, domain, { mode: 'off', since: null });
  });
}
