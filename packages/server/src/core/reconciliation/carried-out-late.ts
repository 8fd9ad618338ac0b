import { lifePolicy, phaseOf, wholeYears } from '../domains/lifecycle.ts';
import { addYears, type Domain } from '../model/domain.ts';
import type { OperationOf } from '../model/operation.ts';
import type { DomainKind } from '../model/operation-kinds.ts';
import type { TldRules } from '../model/tld.ts';
import type { RegistryDomain } from '../ports/registry.ts';

/** An abandoned order, and the present state of its domain at the registry. */
interface Recheck {
  readonly operation: OperationOf<DomainKind>;
  readonly domain: Domain;
  readonly rules: TldRules;
  readonly view: RegistryDomain | null;
  /** A later order explains the state at the registry, or owns the domain. */
  readonly isExplained: boolean;
  readonly now: Date;
  /** A transfer to us is pending. */
  readonly isPendingToUs: boolean;
}

/** Whether the registry shows that an abandoned order was carried out after all. Pure. */
export function wasCarriedOutLate({
  operation,
  domain,
  rules,
  view,
  isExplained,
  isPendingToUs,
  now,
}: Recheck): boolean {
  if (isExplained) return false;
  switch (operation.kind) {
    case 'register':
      return view?.isOurs === true;
    case 'transfer':
      return view?.isOurs === true || isPendingToUs;
    case 'renew': {
      const from = new Date(operation.request.from);
      // A later payment has covered these years.
      const isUnpaid =
        domain.end_date && Math.abs(domain.end_date.getTime() - from.getTime()) <= lifePolicy.sameExpiryMs;
      if (!isUnpaid || !view?.isOurs || !view.expiresAt) return false;
      return wholeYears(from, view.expiresAt) > yearsByItself(from, rules, now);
    }
    case 'restore':
      return view?.isOurs === true && ['live', 'pending_restore'].includes(phaseOf(view));
    case 'delete': {
      if (view && !view.isOurs) return false;
      const ends = domain.registry_expires_at;
      const hasRunOut = !rules.auto_renew && ends !== null && ends <= now;
      return !hasRunOut && (view === null || !['live', 'pending_transfer'].includes(phaseOf(view)));
    }
    default:
      return false;
  }
}

/** A registry auto-renews at the end of each term, and never before. */
function yearsByItself(from: Date, rules: TldRules, now: Date): number {
  let years = 0;
  while (rules.auto_renew && addYears(from, years).getTime() <= now.getTime() + lifePolicy.sameExpiryMs) years += 1;
  return years;
}
