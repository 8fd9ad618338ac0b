import { Refusal } from '../errors.ts';
import { type LockAfter, lockTexts, type TransferLock } from './lock.ts';
import type { TldClass } from './tld-class.ts';

/**
 * Reasons to reject a transfer to another registrar: ICANN's Transfer Policy (I.A.3.7 and 3.8). Each has its sentence; some require a
 * lock.
 */
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
    sentence: 'The identity of the registrant, or the authority of the person requesting the transfer, is disputed.',
    classes: everywhere,
  },
  holder_objects: {
    sentence: 'The registrant has objected to the transfer, in writing or by email.',
    classes: everywhere,
  },
  unpaid: { sentence: 'A past registration period of the domain has not been paid.', classes: everywhere },
  court_order: { sentence: 'A court has ordered that the domain must not be transferred.', classes: everywhere },
  udrp: { sentence: 'A UDRP proceeding is pending.', classes: generic },
  urs: { sentence: 'A URS proceeding is pending, or the domain is suspended by one.', classes: generic },
  transfer_dispute: { sentence: 'A dispute about an earlier transfer is pending.', classes: generic },
  young: { sentence: 'The domain was registered too recently.', classes: generic, lock: 'registration' },
  recent_transfer: {
    sentence: 'The domain was transferred from another registrar too recently.',
    classes: generic,
    lock: 'transfer',
  },
  holder_change: {
    sentence: 'The registrant of the domain changed too recently.',
    classes: generic,
    lock: 'holder_change',
  },
} as const satisfies Record<string, Denial>;

export type DenialReason = keyof typeof denials;
export const denialReasons = Object.keys(denials) as readonly DenialReason[];

/** Refuses a reason that policy does not allow for such a domain, or not at present. */
export function requireDenial(
  reason: DenialReason,
  name: string,
  tldClass: TldClass,
  locks: readonly TransferLock[],
): void {
  const denial: Denial = denials[reason];
  const wrong = (message: string) =>
    new Refusal('invalid_argument', `reason: ${message}`, { errors: [{ field: 'reason', code: 'invalid', message }] });
  if (!denial.classes.includes(tldClass)) throw wrong(`${reason} is not a valid reason for a country-code domain.`);
  const { lock } = denial;
  if (lock && !locks.some(({ after, against }) => after === lock && against === 'transfer'))
    throw wrong(`${name} no longer has a lock after ${lockTexts[lock]}.`);
}
