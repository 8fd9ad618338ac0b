import { isBelow } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import type { ExpectedVersion } from '../../version.ts';
import { checkNameservers } from '../buy/check-order.ts';
import { delegationRequested } from '../effects.ts';
import { readChildHosts } from './child-hosts.sql.ts';
import { orderUpdate } from './order-update.ts';

const plain = (host: string): string => host.trim().toLowerCase().replace(/\.$/, '');

/** Replaces the whole set. */
export function setNameservers(
  ctx: AppContext,
  actor: Actor,
  domain: string,
  customerId: string | undefined,
  hosts: readonly string[],
  options: { readonly isForced: boolean; readonly expected?: ExpectedVersion | undefined } = { isForced: false },
): Promise<string> {
  return orderUpdate(ctx, actor, {
    domain,
    customerId,
    change: 'nameservers',
    isForced: options.isForced,
    expected: options.expected,
    content: ({ nameservers }) => nameservers,
    async wanted(row, rules, tx) {
      const made = new Set((await readChildHosts(tx, row.id)).map((child) => child.hostname));
      const unmade = hosts.map(plain).some((host) => isBelow(host, row.name) && !made.has(host));
      // If hosts are attributes, the glue must be known before the command is sent; if they are objects, the registry decides.
      const nameservers = checkNameservers(hosts, rules, unmade ? row.name : '(none)');
      const { isForced } = options;
      await ctx.effects.run(delegationRequested, { ctx, db: tx, domain: row, nameservers, isForced });
      return { nameservers };
    },
  });
}
