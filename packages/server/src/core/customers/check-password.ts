import { opensWith } from '../accounts/password.ts';
import { systemActor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { findPasswords } from './customer.sql.ts';

/** For callers with their own sign-in page: the own password, or a temporary one within its three days. */
export async function isCustomerPassword(
  ctx: AppContext,
  resellerId: string,
  id: string,
  password: string,
): Promise<boolean> {
  const stored = await findPasswords(ctx.db.as(resellerId), resellerId, id);
  return stored !== undefined && (await opensWith(stored, password, ctx.wall.now(), systemActor)) !== undefined;
}
