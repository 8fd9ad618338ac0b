import type { CommandContext, Reply } from '../../core/ports/registry.ts';
import type { Detail } from './detail.ts';
import { noContactId } from './orders.ts';
import type { Upstream } from './upstream.ts';
import type { Call } from './wire.ts';

type Ids = Readonly<Partial<Detail['contacts']>>;

/** All four roles at once, as the contract requires. */
export function assignment(u: Upstream, path: string, ids: Ids): Call {
  const roles = (['registrant', 'admin', 'tech', 'billing'] as const).map((role) => [
    `${role}_contact_id`,
    ids[role] ?? noContactId,
  ]);
  return { method: 'PUT', path: `${path}/contacts`, form: { ...Object.fromEntries(roles), ...agent(u) } };
}

export function assignContacts(
  u: Upstream,
  { name, path, ids }: { readonly name: string; readonly path: string; readonly ids: Ids },
  context: CommandContext,
): Promise<Reply<null>> {
  const calls = [assignment(u, path, ids)];
  return u.account.command({ object: 'domain', verb: 'update', name, calls, read: () => null }, context);
}

/** Both sides have consented here, in the way that the seller uses, so the upstream need not confirm again. */
export const agent = (u: Upstream): Record<string, string> =>
  u.profile.dialect === 'namehold' ? { designated_agent: 'true' } : {};
