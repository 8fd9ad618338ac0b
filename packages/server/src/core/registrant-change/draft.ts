import { addDays, type Money, money } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import type { RegistrantChange, Side } from '../model/registrant-change.ts';
import { type Registrant, registrantChangePolicy } from '../policy/registrant.ts';
import { sellingCurrencyOf } from '../pricing/pricing.sql.ts';
import { lockHours } from './lock-hours.ts';
import { sidesOf } from './path.ts';

/** The path that a change of contacts would take. */
export interface RegistrantChangeDraft {
  /** `at_once`: the registrant stays the same, or the registry has rules of its own. */
  readonly path: 'at_once' | RegistrantChange['path'];
  readonly confirmations: readonly { readonly side: Side; readonly address: string }[];
  readonly confirmBy: Date | null;
  /** The lock that would follow if it were carried out now. */
  readonly lockUntil: Date | null;
  readonly fee: Money;
}

export async function draftRegistrantChange(
  ctx: AppContext,
  actor: Actor,
  change: {
    readonly registrantChange: RegistrantChange | null;
    readonly former: Pick<Registrant, 'email'> | null;
    readonly present: Pick<Registrant, 'email'> | null;
  },
): Promise<RegistrantChangeDraft> {
  const { registrantChange, former, present } = change;
  const now = ctx.clock.now();
  const isConfirmationNeeded = registrantChange?.path === 'confirmations' && former && present;
  const requestedSides = isConfirmationNeeded ? sidesOf(former, present) : [];
  const hours = registrantChange && !registrantChange.isLockWaived ? await lockHours(ctx.db.as(allTenants), now) : 0;
  return {
    path: registrantChange?.path ?? 'at_once',
    confirmations: requestedSides.map((side) => ({ side, address: (side === 'prior' ? former : present)!.email })),
    confirmBy: isConfirmationNeeded ? addDays(now, registrantChangePolicy.confirmDays) : null,
    lockUntil: hours > 0 ? new Date(now.getTime() + hours * 3_600_000) : null,
    // The registry charges nothing for it: it is an update like any other.
    fee: money(0n, await sellingCurrencyOf(ctx.db.as(actor.resellerId), actor.resellerId)),
  };
}
