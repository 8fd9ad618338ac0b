import { NameError, normaliseHostname } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { readSecurity } from '../accounts/security.sql.ts';
import { type Actor, type AppContext, actingId, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { lockCustomer, setDefaultNameservers } from './customer.sql.ts';
import type { Customer } from './customer.ts';
import { readCustomer } from './read.ts';

export const nameserverLimits = { min: 2, max: 13 };

/** The nameservers of a customer's new domain if its order names none. */
export async function readDefaultNameservers(ctx: AppContext, actor: Actor, id: string): Promise<readonly string[]> {
  return defaultNameserversOf(ctx, await readCustomer(ctx, actor, id));
}

function defaultNameserversOf(ctx: AppContext, customer: Customer): readonly string[] {
  return customer.default_nameservers ?? ctx.config.defaultNameservers;
}

export async function changeDefaultNameservers(
  ctx: AppContext,
  actor: Actor,
  id: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const nameservers = readHosts(names);
  return write(ctx, actor, async (tx) => {
    const before = await lockCustomer(tx, actor.resellerId, id);
    if (!before) throw notFound('customer');
    await refuseWithoutApproval(tx, actor);
    const after = await setDefaultNameservers(tx, actor.resellerId, id, nameservers);
    await audit(ctx, tx, actor, {
      action: 'customer.default_nameservers',
      objectType: 'customer',
      objectId: id,
      before: { default_nameservers: before.default_nameservers },
      after: { default_nameservers: after.default_nameservers },
    });
    return nameservers;
  });
}

/** Approvals belong to a change of one domain; a default would choose the nameservers of domains that do not exist yet, without one. */
async function refuseWithoutApproval(tx: Tx, actor: Actor): Promise<void> {
  if (actingId(actor) === null) return;
  const { second_yes: kinds } = await readSecurity(tx, actor.resellerId);
  if (!kinds.includes('nameservers')) return;
  throw new Refusal(
    'conflict',
    'Nameserver changes of this account need an approval, and default nameservers cannot have one. Name the nameservers in each order instead.',
    { facts: { change: 'nameservers' } },
  );
}

function readHosts(names: readonly string[]): string[] {
  const hosts = names.map((name) => {
    try {
      return normaliseHostname(name);
    } catch (error) {
      if (!(error instanceof NameError)) throw error;
      // Clients search for this exact text, not only at the beginning.
      throw badField('nameservers', `${name.slice(0, 100)} is not valid NameServer: ${error.message}`);
    }
  });
  const distinct = [...new Set(hosts)];
  if (distinct.length < nameserverLimits.min || distinct.length > nameserverLimits.max) {
    throw badField('nameservers', `Must be ${nameserverLimits.min} to ${nameserverLimits.max} different nameservers.`);
  }
  return distinct;
}
