import { allTenants } from '@namehold/base';
import { findDemoAccount } from '../core/accounts/find-demo.ts';
import { demoReseller, systemActor } from '../core/accounts/first-accounts.ts';
import type { AppContext } from '../core/app-context.ts';
import { inviteUser } from '../core/users/invite.ts';
import { countOwners } from '../core/users/member.sql.ts';

export interface ConsoleLink {
  readonly url: string;
  /** Whom it makes an owner of the demo account, once; undefined: people sign in there. */
  readonly invited?: string;
}

/** Where a newcomer looks at the demo account. The code of the link ends the one that the start before printed. */
export async function linkToConsole(ctx: AppContext, baseUrl: string): Promise<ConsoleLink> {
  const url = `${named(baseUrl)}/app`;
  const resellerId = await findDemoAccount(ctx);
  if (!resellerId || (await countOwners(ctx.db.as(allTenants), resellerId)) > 0) return { url };
  const actor = { ...systemActor, resellerId, requestId: 'start', isOperator: false };
  const { code, email } = await inviteUser(ctx, actor, { email: demoReseller.email, role: 'owner' });
  // In the fragment: browsers keep it to themselves, so no log on the way has it.
  return { url: `${url}/welcome#code=${code}`, invited: email };
}

/** Passkeys belong to a name; an address cannot have any. */
const named = (baseUrl: string) => baseUrl.replace(/^http:\/\/(127\.0\.0\.1|0\.0\.0\.0)(?=:|$)/, 'http://localhost');
