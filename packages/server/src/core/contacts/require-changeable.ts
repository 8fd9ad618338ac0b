import type { Reader } from '@namehold/base';
import { requireUnlocked } from '../domains/allowed/require-allowed.ts';
import { findLockedDomain, isRegistrant } from '../holder-change/holder-change.sql.ts';
import type { Actor } from '../house.ts';
import { requireScope } from '../keys/require-scope.ts';
import { type Holder, isAnotherHolder } from '../policy/holder.ts';

const what = 'Changing the name, company or email address of a contact that is the registrant of live domains';

/** Other registrant data are a change of each domain that the contact is the registrant of: it takes what the change of one domain takes. */
export async function requireRegistrantChangeable(
  db: Reader,
  actor: Actor,
  before: Holder & { readonly id: string },
  after: Holder,
): Promise<void> {
  if (!isAnotherHolder(before, after) || !(await isRegistrant(db, actor.resellerId, before.id))) return;
  requireScope(actor, 'domains:write', what);
  await requireUnlockedDomains(db, actor.resellerId, before.id);
}

export async function requireUnlockedDomains(db: Reader, resellerId: string, contactId: string): Promise<void> {
  const locked = await findLockedDomain(db, resellerId, contactId);
  if (locked) requireUnlocked(locked);
}
