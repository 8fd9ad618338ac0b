import { addDays, everyTenant, type Money, money } from '@namehold/base';
import type { Actor, House } from '../house.ts';
import { type Holder, holderPolicy } from '../policy/holder.ts';
import { sellingCurrencyOf } from '../pricing/pricing.sql.ts';
import type { HolderChange, Side } from './holder-change.ts';
import { lockHours } from './lock-hours.ts';
import { sidesOf } from './path.ts';

/** Which way a change of contacts would go. */
export interface HolderDraft {
  /** `at_once`: nobody else holds it then, or its registry has rules of its own. */
  readonly path: 'at_once' | HolderChange['path'];
  readonly confirmations: readonly { readonly side: Side; readonly address: string }[];
  readonly confirmBy: Date | null;
  /** The lock that follows, were it carried out now. */
  readonly lockUntil: Date | null;
  readonly fee: Money;
}

export async function draftHolderChange(
  house: House,
  actor: Actor,
  change: {
    readonly holder: HolderChange | null;
    readonly former: Pick<Holder, 'email'> | null;
    readonly present: Pick<Holder, 'email'> | null;
  },
): Promise<HolderDraft> {
  const { holder, former, present } = change;
  const now = house.clock.now();
  const isAsked = holder?.path === 'confirmations' && former && present;
  const asked = isAsked ? sidesOf(former, present) : [];
  const hours = holder && !holder.isLockWaived ? await lockHours(house.db.as(everyTenant), now) : 0;
  return {
    path: holder?.path ?? 'at_once',
    confirmations: asked.map((side) => ({ side, address: (side === 'prior' ? former : present)!.email })),
    confirmBy: isAsked ? addDays(now, holderPolicy.confirmDays) : null,
    lockUntil: hours > 0 ? new Date(now.getTime() + hours * 3_600_000) : null,
    // No registry here takes money for it: it is an update like any other.
    fee: money(0n, await sellingCurrencyOf(house.db.as(actor.resellerId), actor.resellerId)),
  };
}
