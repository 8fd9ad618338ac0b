import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import { type Circumstances, reasonsAgainst } from './allowed.ts';
import { flagReasons } from './flag-reasons.ts';
import type { Action, Reason } from './reason.ts';
import { statusReasons } from './status-reasons.ts';

/** Refuses with the first reason against the action. Other open operations are excluded by a unique index, not here. */
export function requireAllowed(domain: Domain, action: Action, circumstances: Circumstances = {}): void {
  refuseFor(domain, reasonsAgainst(domain, action, circumstances)[0]);
}

/** For a change that reaches the domain through its contacts: whether a lock, a suspension or the registry forbids updates. */
export function requireUnlocked(domain: Domain): void {
  refuseFor(domain, [...flagReasons(domain, 'update'), ...statusReasons(domain, 'update')][0]);
}

function refuseFor(domain: Domain, first: Reason | undefined): void {
  if (!first) return;
  throw new Refusal(first.code, `${domain.name} ${first.sentence}`, {
    ...(first.facts ? { facts: first.facts } : {}),
    ...(first.help ? { help: first.help } : {}),
  });
}
