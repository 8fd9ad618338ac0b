import { asTrouble, Trouble } from '../api/trouble.ts';

/** One answer for whatever is wrong, and it is said at the form, not at a field. */
export function asRefusal(error: unknown, sentence: string): Trouble {
  const trouble = asTrouble(error);
  return trouble.status === 401 ? new Trouble(400, { ...trouble.facts, message: sentence }) : trouble;
}
