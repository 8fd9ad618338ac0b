import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { Operation } from '../model/operation.ts';
import { wasDone } from './journal.sql.ts';
import { findStatementCharge } from './registry-statement.ts';

/** Why the registry does not confirm that an operation is done, as far as queries without effect show it. Undefined: nothing contradicts. */
export async function refuteDone(ctx: AppContext, operation: Operation): Promise<string | undefined> {
  if (operation.registry_id === null || !('name' in operation.request)) return undefined;
  const registry = await ctx.registries.of(operation.registry_id);
  const reply = await registry.info(operation.request.name);
  if (reply.kind === 'unknown' || reply.kind === 'unsent') return `the registry does not answer: ${reply.why}`;
  const isPaidThere = operation.kind === 'renew' || operation.kind === 'restore';
  if (reply.kind !== 'done' || reply.data?.isOurs || !isPaidThere) return undefined;
  const finding = await findStatementCharge(ctx, registry, operation);
  if (finding.kind === 'charged') return undefined;
  if (await wasDone(ctx.db.as(allTenants), operation.id, operation.kind)) return undefined;
  switch (finding.kind) {
    case 'no_statement':
      return undefined;
    case 'not_charged':
      return 'the domain is gone, and the statement of the registry shows no charge for it';
    case 'refunded':
      return 'the domain is gone, and the registry refunded the charge';
    case 'later':
      return finding.why;
  }
}
