import type { FieldProblem } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { extraOf, extraProblems, isExtraClass } from '../tlds/extra.ts';
import { readCriteria } from './eligibility.ts';
import { readContact } from './read.ts';

export interface Validity {
  readonly contactId: string;
  readonly criteria: string;
  readonly problems: readonly FieldProblem[];
}

/** Does the contact satisfy what the TLD asks of a registrant, and if not, what is missing? */
export async function checkValidity(
  house: House,
  actor: Actor,
  customerId: string,
  id: string,
  text: string,
): Promise<Validity> {
  const contact = await readContact(house, actor, customerId, id);
  const criteria = await readCriteria(house, text);
  const problems = isExtraClass(criteria) ? extraProblems(criteria, extraOf(criteria, contact.extra)) : [];
  return { contactId: contact.id, criteria, problems };
}
