import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { badField, Refusal } from '../../errors.ts';
import type { Domain, With } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { wholeYears } from '../lifecycle.ts';
import { inTime } from '../search/refuse-taken.ts';
import { heldName } from './held-name.ts';
import { asFee, type PremiumFees, queryPremiumFees } from './premium-fee.ts';
import type { Purchase, PurchaseOrder } from './purchase.ts';
import { restoreWorkflow } from './restore-workflow.ts';

interface RestoreOrder extends PurchaseOrder {
  /** Id or domain name. */
  readonly domain: string;
  readonly customerId: string | undefined;
}

interface Checked {
  /** The time at which redemption began. */
  readonly domain: With<'deleted_at'>;
  readonly premium: PremiumFees | null;
  /** The registry's current date; it decides whether the restore includes a paid year. */
  readonly shown: Date | null;
  readonly rules: RestoreRules;
}

/** An order does not wait longer than this for the registry's date; after that the last known date is used. */
const waitMs = 2_000;

/** Restore of a deleted domain from its redemption period. */
export const restore: Purchase<'restore', RestoreOrder, Checked> = {
  requested({ domainName, years, privacy }) {
    if (years !== 1) throw badField('years', 'A restore has no number of years. Leave this field out.');
    if (privacy) throw badField('privacy', 'Privacy protection is not sold with a restore.');
    return { domain: domainName, customerId: undefined, guard: {} };
  },
  async check(ctx, actor, order) {
    const domain = requireRestorable(await requireDomain(ctx, actor, order.domain, order.customerId));
    const [premium, shown, rules] = await Promise.all([
      queryPremiumFees(ctx, domain),
      queryDate(ctx, domain),
      rulesOf(ctx.db.as(allTenants), domain),
    ]);
    return { domain, premium, shown, rules };
  },
  checkLocked: async (_ctx, tx, actor, _order, checked) => ({
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
      registryId: domain.registry_id,
      years: 1,
      withRenewal: isOver(checked, now),
      ...(premium && fee ? { premium: { class: premium.class, fee } } : {}),
    };
  },
  subject: heldName,
  request(_order, checked, now) {
    // If the registry renews by a year with the restore, its restore price includes that year.
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
  throw new Refusal('conflict', `${domain.name} cannot be restored: its deletion date is not known yet.`);
}

/**
 * Whether a restore includes a paid year: the TLD adds one with every restore (`restore_years`), or the domain expired before or while
 * it was deleted.
 */
export function restoreRenews(expiresAt: Date | null, { restore_years }: RestoreRules, now: Date): boolean {
  return restore_years === 1 || (expiresAt !== null && expiresAt <= now);
}

type RestoreRules = Pick<TldRules, 'restore_years'>;

const isOver = ({ shown, rules }: Checked, now: Date) => restoreRenews(shown, rules, now);

/** Read from the registry if it answers in time: our date may be from before the deletion. */
async function queryDate(ctx: AppContext, { name, registry_id, registry_expires_at }: Domain): Promise<Date | null> {
  const registry = await ctx.registries.of(registry_id);
  const reply = await inTime(registry.info(name, { priority: 'interactive' }), waitMs);
  return reply.kind === 'done' && reply.data?.isOurs ? reply.data.expiresAt : registry_expires_at;
}

function givenYears({ domain: { end_date }, shown }: Checked): number {
  return end_date && shown ? wholeYears(end_date, shown) : 0;
}
