import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import type { FieldProblem } from '../errors.ts';
import { extraOf, extraProblems } from '../tlds/extra.ts';
import { fieldsFor, readCriteria } from './eligibility.ts';
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
  const fields = await fieldsFor(ctx, ctx.db.as(allTenants), criteria);
  const problems = fields ? extraProblems(fields, extraOf(fields, contact.extra)) : [];
  return { contactId: contact.id, criteria, problems };
}
