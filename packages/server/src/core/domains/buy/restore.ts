import { everyTenant } from '@namehold/base';
import { badField, Refusal } from '../../errors.ts';
import type { House } from '../../house.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import type { Domain, With } from '../domain.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { wholeYears } from '../lifecycle.ts';
import { inTime } from '../search/refuse-taken.ts';
import { heldName } from './held-name.ts';
import { asFee, askPremiumFees, type PremiumFees } from './premium-fee.ts';
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
  /** As the registry shows it now: whether a year is to be paid hangs on it. */
  readonly shown: Date | null;
  /** The registry adds a year with every restore (`restore_years` of the TLD). */
  readonly addsYear: boolean;
}

/** An order does not wait longer for the registry's date than that; what was last known counts then. */
const waitMs = 2_000;

/** A deleted name, back from its redemption period. */
export const restore: Purchase<'restore', RestoreOrder, Checked> = {
  asked({ domainName, years, privacy }) {
    if (years !== 1) throw badField('years', 'a restore is not sold by the year: leave it out');
    if (privacy) throw badField('privacy', 'is not sold with a restore');
    return { domain: domainName, customerId: undefined, guard: {} };
  },
  async check(house, actor, order) {
    const domain = requireRestorable(await requireDomain(house, actor, order.domain, order.customerId));
    const [premium, shown, rules] = await Promise.all([
      askPremiumFees(house, domain),
      askDate(house, domain),
      rulesOf(house.db.as(everyTenant), domain.tld),
    ]);
    return { domain, premium, shown, addsYear: rules.restore_years === 1 };
  },
  checkLocked: async (_house, tx, actor, _order, checked) => ({
    ...checked,
    domain: requireRestorable(await lockOwn(tx, actor, checked.domain.id)),
  }),
  price(_order, checked, now) {
    const { domain, premium } = checked;
    const fee = premium?.restore;
    return {
      kind: 'restore',
      domainName: domain.name,
      domainId: domain.id,
      customerId: domain.customer_id,
      tld: domain.tld,
      years: 1,
      withRenewal: isOver(checked, now),
      ...(premium && fee ? { premium: { class: premium.class, fee } } : {}),
    };
  },
  subject: heldName,
  request(_order, checked, now) {
    // Where the registry renews by a year in the same act, what it asks for the restore has that year in it.
    const fee = checked.premium?.restore;
    return {
      name: checked.domain.name,
      with_renewal: isOver(checked, now),
      fee: fee ? asFee(fee) : null,
      deleted_at: checked.domain.deleted_at.toISOString(),
      from: checked.shown?.toISOString() ?? null,
      given_years: givenYears(checked),
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

const isOver = ({ shown, addsYear }: Checked, now: Date) =>
  addsYear || restoreRenews({ registry_expires_at: shown }, now);

/** Fresh where the registry answers in time: what we know may be from before the name was deleted. */
async function askDate(house: House, { name, registry_id, registry_expires_at }: Domain): Promise<Date | null> {
  const registry = await house.registries.of(registry_id);
  const reply = await inTime(registry.info(name, { lane: 'interactive' }), waitMs);
  return reply.kind === 'done' && reply.data?.isOurs ? reply.data.expiresAt : registry_expires_at;
}

function givenYears({ domain: { end_date }, shown }: Checked): number {
  return end_date && shown ? wholeYears(end_date, shown) : 0;
}
