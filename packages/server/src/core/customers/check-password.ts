import { opensWith } from '../accounts/password.ts';
import type { House } from '../house.ts';
import { findPasswords } from './customer.sql.ts';

/** For whoever lets customers in: the own password, or a temporary one within its three days. */
export async function isCustomerPassword(
  house: House,
  resellerId: string,
  id: string,
  password: string,
): Promise<boolean> {
  const stored = await findPasswords(house.db.as(resellerId), resellerId, id);
  return stored !== undefined && (await opensWith(stored, password, house.wall.now())) !== undefined;
}
