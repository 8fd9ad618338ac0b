import { Refusal } from '../../errors.ts';
import type { Domain } from '../domain.ts';
import { type Circumstances, reasonsAgainst } from './allowed.ts';
import type { Action } from './reason.ts';

/** Refuses with the first reason against it. Whether something else is under way is for the index on open operations to say. */
export function requireAllowed(domain: Domain, action: Action, circumstances: Circumstances = {}): void {
  const [first] = reasonsAgainst(domain, action, circumstances);
  if (!first) return;
  throw new Refusal(first.code, `${domain.name} ${first.sentence}`, {
    ...(first.facts ? { facts: first.facts } : {}),
    ...(first.help ? { help: first.help } : {}),
  });
}
