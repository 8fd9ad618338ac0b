import { everyTenant } from '@namehold/base';
import type { Run } from '../../operations/run.ts';
import { readDomainWithRules } from '../domain.sql.ts';
import { stateFrom } from '../lifecycle.ts';
import type { RegistryDomain } from '../registry/registry.ts';
import type { Drift } from './drift.sql.ts';
import { driftOfView, noteDrift, tellOperator } from './note-drift.ts';
import { markCompared } from './reconcile.sql.ts';

/**
 * What an operation is shown before it has sent anything is compared too: its own change could cover up the traces. The rest, and
 * what is to be repaired, is left to the comparison that follows when the operation is over. The date is its business.
 */
export async function compareInPassing(run: Run, view: RegistryDomain): Promise<void> {
  const { house, operation } = run;
  if (operation.domain_id === null || operation.kind === 'repair') return;
  const { domain, rules } = await readDomainWithRules(house.db.as(everyTenant), operation.domain_id);
  if (domain.state !== 'live' || stateFrom(view, domain, rules, house.clock.now()).state !== 'live') return;
  const found = (await driftOfView(house.db.as(everyTenant), domain, view, rules))
    .filter((drift) => drift.field !== 'expiry')
    .map((drift): Drift => ({ ...drift, action: 'reported' }));
  if (found.length === 0) return;
  await house.db.transaction(everyTenant, async (tx) => {
    await noteDrift(house, tx, domain, view, found);
    await markCompared(tx, domain.id, null);
  });
  await tellOperator(house, domain, found);
}
