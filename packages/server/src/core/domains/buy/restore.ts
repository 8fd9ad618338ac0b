import { badField, Refusal } from '../../errors.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import type { Domain, With } from '../domain.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { wholeYears } from '../lifecycle.ts';
import { heldName } from './held-name.ts';
import { asFee, askPremiumFees, type PremiumFees, plus } from './premium-fee.ts';
import type { Purchase, PurchaseOrder } from './purchase.ts';
import { restoreWorkflow } from './restore-workflow.ts';

export interface RestoreOrder extends PurchaseOrder {
  /** Id or name. */
  readonly domain: string;
  readonly customerId: string | undefined;
}

interface Checked {
  /** In redemption since then. */
  readonly domain: With<'deleted_at'>;
  readonly premium: PremiumFees | null;
}

/** A deleted name, back from its redemption period. */
export const restore: Purchase<'restore', RestoreOrder, Checked> = {
  asked({ domainName, years, privacy }) {
    if (years !== 1) throw badField('years', 'a restore is not sold by the year: leave it out');
    if (privacy) throw badField('privacy', 'is not sold with a restore');
    return { domain: domainName, customerId: undefined, guard: {} };
  },
  async check(house, actor, order) {
    const domain = requireRestorable(await requireDomain(house, actor, order.domain, order.customerId));
    return { domain, premium: await askPremiumFees(house, domain) };
  },
  checkLocked: async (_house, tx, actor, _order, { domain: { id }, premium }) => ({
    domain: requireRestorable(await lockOwn(tx, actor, id)),
    premium,
  }),
  price(_order, checked, now) {
    const { domain, premium } = checked;
    const fee = feeOf(checked, now);
    return {
      kind: 'restore',
      domainName: domain.name,
      domainId: domain.id,
      tld: domain.tld,
      years: 1,
      withRenewal: restoreRenews(domain, now),
      ...(premium && fee ? { premium: { class: premium.class, fee } } : {}),
    };
  },
  subject: heldName,
  request(_order, checked, now) {
    const fee = feeOf(checked, now);
    return {
      name: checked.domain.name,
      with_renewal: restoreRenews(checked.domain, now),
      fee: fee ? asFee(fee) : null,
      deleted_at: checked.domain.deleted_at.toISOString(),
      from: checked.domain.registry_expires_at?.toISOString() ?? null,
      given_years: givenYears(checked.domain),
    };
  },
  workflow: restoreWorkflow,
};

function requireRestorable(domain: Domain): Checked['domain'] {
  requireAllowed(domain, 'restore');
  const { deleted_at } = domain;
  if (deleted_at) return { ...domain, deleted_at };
  throw new Refusal('conflict', `${domain.name} cannot be restored: since when it is deleted is not known yet`);
}

/** A name that ran out before or while it was deleted comes back for one more year, which is paid with the restore. */
export function restoreRenews(domain: Pick<Domain, 'registry_expires_at'>, now: Date): boolean {
  return domain.registry_expires_at !== null && domain.registry_expires_at <= now;
}

function givenYears({ end_date, registry_expires_at }: Domain): number {
  return end_date && registry_expires_at ? wholeYears(end_date, registry_expires_at) : 0;
}

/** Both prices of a premium name in one: its registry asks for them together. */
function feeOf({ domain, premium }: Checked, now: Date) {
  if (!premium?.restore) return undefined;
  return restoreRenews(domain, now) ? plus(premium.restore, premium.renew) : premium.restore;
}
