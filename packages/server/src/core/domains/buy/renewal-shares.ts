import { addYears } from '../../model/domain.ts';
import type { RenewRequest, Sending, Shares } from '../../model/operation-kinds.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { lifePolicy, wholeYears } from '../lifecycle.ts';

export function sendingOf(view: RegistryDomain, expiresAt: Date, years: number, at: string): Sending {
  return {
    from: expiresAt.toISOString(),
    years,
    updated_at: view.updatedAt?.toISOString() ?? null,
    graces: view.rgpStatuses,
    at,
  };
}

/**
 * Years count as sent only if a renew command was executed; all others were auto-renewed by the registry at the end of the term. No
 * registry auto-renews before that, so years that exist earlier were sent, and only this service can have sent them.
 */
export function sharesOf(
  request: Pick<RenewRequest, 'from' | 'years'>,
  sending: Sending | undefined,
  view: RegistryDomain,
  isAnswered: boolean,
  now: Date,
): Shares {
  const isSent = sending !== undefined && (isAnswered || wasCarriedOut(sending, view));
  const isTermOver = new Date(request.from).getTime() - lifePolicy.sameExpiryMs <= now.getTime();
  const sent = isSent ? Math.min(sending.years, request.years) : isTermOver ? 0 : request.years;
  const added = request.years - sent;
  const shown = view.updatedAt?.toISOString() ?? null;
  const actedAt = isSent && shown !== null && shown !== sending.updated_at ? shown : now.toISOString();
  return {
    sent_years: sent,
    auto_renewed_years: added,
    acted_at: actedAt,
    ...(added > 0 ? { auto_renewed_at: addYears(new Date(request.from), added - 1).toISOString() } : {}),
  };
}

/** The expiry date is reached but the answer is missing: decides between our renew command and an auto-renewal by the registry. */
function wasCarriedOut(sending: Sending, view: RegistryDomain): boolean {
  if (!view.expiresAt) return true;
  const isNew = (grace: string) => view.rgpStatuses.includes(grace) && !sending.graces.includes(grace);
  if (isNew('renewPeriod')) return true;
  const added = wholeYears(new Date(sending.from), view.expiresAt);
  if (isNew('autoRenewPeriod')) return added > sending.years;
  // The grace period gives no evidence any more. A renew is a change of the domain (RFC 5731 3.1.2); an auto-renewal of most registries is
  // not.
  return view.updatedAt === null || view.updatedAt.toISOString() !== sending.updated_at;
}
