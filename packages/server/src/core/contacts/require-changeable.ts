import type { Reader } from '@namehold/postgres';
import type { Actor } from '../app-context.ts';
import { requireUnlocked } from '../domains/allowed/require-allowed.ts';
import { requireScope } from '../keys/require-scope.ts';
import { isOtherRegistrant, type Registrant } from '../policy/registrant.ts';
import { findLockedDomain, isRegistrant } from '../registrant-change/registrant-change.sql.ts';

const what = 'Changing the name, company or email address of a contact that is the registrant of live domains';

/**
 * New registrant data change each domain that the contact is the registrant of, so the same approvals and rights apply as for a change
 * of one domain.
 */
export async function requireRegistrantChangeable(
  db: Reader,
  actor: Actor,
  before: Registrant & { readonly id: string },
  after: Registrant,
): Promise<void> {
  if (!isOtherRegistrant(before, after) || !(await isRegistrant(db, actor.resellerId, before.id))) return;
  requireScope(actor, 'domains:write', what);
  await requireUnlockedDomains(db, actor.resellerId, before.id);
}

export async function requireUnlockedDomains(db: Reader, resellerId: string, contactId: string): Promise<void> {
  const locked = await findLockedDomain(db, resellerId, contactId);
  if (locked) requireUnlocked(locked);
}
