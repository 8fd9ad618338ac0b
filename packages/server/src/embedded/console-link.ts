import { allTenants } from '@namehold/postgres';
import { findDemoAccount } from '../core/accounts/find-demo.ts';
import { systemActor } from '../core/actors.ts';
import type { AppContext } from '../core/app-context.ts';
import { demoReseller } from '../core/composition/first-accounts.ts';
import { withHostName } from '../core/console-address.ts';
import { inviteUser } from '../core/users/invite.ts';
import { countOwners } from '../core/users/member.sql.ts';

export interface ConsoleLink {
  readonly url: string;
  /** The user that becomes an owner of the demo account, once. Undefined: the account has users who sign in. */
  readonly invited?: string;
}

/** A sign-in link to the demo account. It invalidates the link of the previous start. */
export async function linkToConsole(ctx: AppContext, baseUrl: string): Promise<ConsoleLink> {
  const url = `${withHostName(baseUrl)}/app`;
  const resellerId = await findDemoAccount(ctx);
  if (!resellerId || (await countOwners(ctx.db.as(allTenants), resellerId)) > 0) return { url };
  const actor = { ...systemActor, resellerId, requestId: 'start', isOperator: false };
  const { code, email } = await inviteUser(ctx, actor, { email: demoReseller.email, role: 'owner' });
  // In the fragment, which browsers do not send, so no proxy logs it.
  return { url: `${url}/welcome#code=${code}`, invited: email };
}
