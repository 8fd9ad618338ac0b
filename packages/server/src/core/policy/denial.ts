import { Refusal } from '../errors.ts';
import { type LockAfter, lockWords, type TransferLock } from './lock.ts';
import type { TldClass } from './tld-class.ts';

/** Why a transfer to another registrar may be rejected: ICANN's Transfer Policy (I.A.3.7 and 3.8). Each with its sentence; a lock must hold. */
interface Denial {
  readonly sentence: string;
  readonly classes: readonly TldClass[];
  readonly lock?: LockAfter;
}

const everywhere = ['generic', 'country'] as const;
const generic = ['generic'] as const;

export const denials = {
  fraud: { sentence: 'There is evidence of fraud.', classes: everywhere },
  identity_dispute: {
    sentence: 'Who the holder is, or who may ask for the transfer, is in dispute.',
    classes: everywhere,
  },
  holder_objects: {
    sentence: 'The holder has objected to the transfer, in writing or by e-mail.',
    classes: everywhere,
  },
  unpaid: { sentence: 'A past term of the name has not been paid.', classes: everywhere },
  court_order: { sentence: 'A court has ordered that the name stays.', classes: everywhere },
  udrp: { sentence: 'A proceeding under the UDRP is pending.', classes: generic },
  urs: { sentence: 'A proceeding under the URS is pending, or the name is suspended by one.', classes: generic },
  transfer_dispute: { sentence: 'A dispute about an earlier transfer is pending.', classes: generic },
  young: { sentence: 'The name was registered too short a time ago.', classes: generic, lock: 'registration' },
  recent_transfer: {
    sentence: 'The name came from another registrar too short a time ago.',
    classes: generic,
    lock: 'transfer',
  },
  holder_change: {
    sentence: 'The name got another holder too short a time ago.',
    classes: generic,
    lock: 'holder_change',
  },
} as const satisfies Record<string, Denial>;

export type DenialReason = keyof typeof denials;
export const denialReasons = Object.keys(denials) as readonly DenialReason[];

/** Refuses a reason that policy does not know for such a name, or not now. */
export function requireDenial(
  reason: DenialReason,
  name: string,
  tldClass: TldClass,
  locks: readonly TransferLock[],
): void {
  const denial: Denial = denials[reason];
  const wrong = (message: string) =>
    new Refusal('invalid_argument', `reason: ${message}`, { errors: [{ field: 'reason', code: 'invalid', message }] });
  if (!denial.classes.includes(tldClass)) throw wrong(`${reason} is no reason for a name of a country; see the list`);
  const { lock } = denial;
  if (lock && !locks.some(({ after, against }) => after === lock && against === 'transfer'))
    throw wrong(`${name} has no lock after ${lockWords[lock]} any more`);
}
