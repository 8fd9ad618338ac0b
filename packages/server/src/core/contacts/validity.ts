import type { Actor, AppContext } from '../app-context.ts';
import type { FieldProblem } from '../errors.ts';
import { extraOf, extraProblems, isExtraClass } from '../tlds/extra.ts';
import { readCriteria } from './eligibility.ts';
import { readContact } from './read.ts';

interface Validity {
  readonly contactId: string;
  readonly criteria: string;
  readonly problems: readonly FieldProblem[];
}

/** Whether the contact satisfies the TLD's requirements for a registrant, and what is missing if not. */
export async function checkValidity(
  ctx: AppContext,
  actor: Actor,
  customerId: string,
  id: string,
  text: string,
): Promise<Validity> {
  const contact = await readContact(ctx, actor, customerId, id);
  const criteria = await readCriteria(ctx, text);
  const problems = isExtraClass(criteria) ? extraProblems(criteria, extraOf(criteria, contact.extra)) : [];
  return { contactId: contact.id, criteria, problems };
}
