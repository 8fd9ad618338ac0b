import { addDays } from '@namehold/base';
import { addYears } from '../../model/domain.ts';
import type { Tld } from '../../model/tld.ts';
import type { TransferLock } from '../../policy/lock.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { phaseOf } from '../lifecycle.ts';

/** Why a domain cannot be transferred to us now. */
export interface Obstacle {
  readonly reason:
    | 'not_registered'
    | 'already_here'
    | 'locked'
    | 'too_young'
    | 'pending'
    | 'in_redemption'
    | 'pending_delete'
    | 'term_too_long'
    | 'wrong_auth_code'
    | 'other';
  /** The text after the domain name. */
  readonly sentence: string;
  /** When the obstacle ends, as far as dates show; null if an action is needed first. */
  readonly from: Date | null;
}

type Served = Pick<Tld, 'name' | 'rules'>;

/** Every obstacle that the registry shows; the first is reported first. `locks`: transfer policy locks, the earliest end first. */
export function obstaclesTo(
  view: RegistryDomain | null,
  tld: Served,
  locks: readonly TransferLock[],
  now: Date,
): Obstacle[] {
  if (!view)
    return [{ reason: 'not_registered', sentence: 'is not registered, so it can be registered instead', from: null }];
  if (view.isOurs) return [{ reason: 'already_here', sentence: 'is already with this registrar', from: null }];
  return [...phaseObstacles(view, tld.rules, now), ...lockObstacles(view), ...dateObstacles(view, tld, locks, now)];
}

function phaseObstacles(view: RegistryDomain, rules: Tld['rules'], now: Date): Obstacle[] {
  const phase = phaseOf(view);
  if (phase === 'redemption' || phase === 'pending_restore') {
    const sentence = 'was deleted and is in redemption, so its current registrar must restore it first';
    return [{ reason: 'in_redemption', sentence, from: null }];
  }
  if (phase === 'pending_delete')
    return [
      { reason: 'pending_delete', sentence: 'will be deleted soon and can be registered after that', from: null },
    ];
  if (phase === 'pending_transfer') {
    const latest = addDays(now, rules.grace_days.pending_transfer);
    const sentence = `already has a pending transfer, which ends by ${day(latest)} at the latest`;
    return [{ reason: 'pending', sentence, from: latest }];
  }
  const pending = view.statuses.find((status) => status.startsWith('pending'));
  return pending ? [{ reason: 'pending', sentence: `has a pending change (${pending})`, from: null }] : [];
}

/** RFC 5731 2.3. */
function lockObstacles(view: RegistryDomain): Obstacle[] {
  const has = (status: string) => view.statuses.includes(status);
  const theirs =
    'is locked by its current registrar (clientTransferProhibited), where the registrant can have the lock removed';
  const registrys = 'is locked by the registry (serverTransferProhibited)';
  return [
    ...(has('clientTransferProhibited') ? [{ reason: 'locked', sentence: theirs, from: null } as const] : []),
    ...(has('serverTransferProhibited') ? [{ reason: 'locked', sentence: registrys, from: null } as const] : []),
  ];
}

function dateObstacles(view: RegistryDomain, tld: Served, locks: readonly TransferLock[], now: Date): Obstacle[] {
  const found: Obstacle[] = [];
  const lock = locks.findLast(({ against }) => against === 'transfer');
  if (lock) {
    const what = lock.after === 'registration' ? 'was registered' : 'was transferred';
    const sentence = `${what} recently, so it cannot be transferred until ${day(lock.until)}`;
    found.push({ reason: 'too_young', sentence, from: lock.until });
  }
  const { max_years: max } = tld.rules.periods;
  const after = view.expiresAt && addYears(view.expiresAt, tld.rules.transfer_years ?? 1);
  // In the auto-renew grace period the year of the transfer replaces the year that the registry added.
  const isRenewed = view.rgpStatuses.includes('autoRenewPeriod');
  if (view.expiresAt && after && !isRenewed && after > addYears(now, max)) {
    const from = addYears(view.expiresAt, (tld.rules.transfer_years ?? 1) - max);
    const sentence = `would be registered more than ${max} years ahead, so a transfer is possible from ${day(from)} on`;
    found.push({ reason: 'term_too_long', sentence, from });
  }
  return found;
}

const untilDay = (from: Date | null): string => (from ? ` until ${day(from)}` : '');

/** Our texts for the reasons that a registry reports. */
const obstacleSentences: Readonly<Record<Obstacle['reason'], (from: Date | null) => string>> = {
  not_registered: () => 'is not registered, so it can be registered instead',
  already_here: () => 'is already with this registrar, in another account',
  locked: () =>
    'is locked by its current registrar or by the registry. The registrant can have a lock of the registrar removed',
  too_young: (from) => `was registered or transferred recently, so it cannot be transferred${untilDay(from) || ' yet'}`,
  pending: (from) => `has a pending transfer or change${untilDay(from)}`,
  in_redemption: () => 'was deleted and is in redemption, so its current registrar must restore it first',
  pending_delete: () => 'will be deleted soon and can be registered after that',
  term_too_long: (from) => `would be registered too many years ahead${untilDay(from)}`,
  wrong_auth_code: () => 'has another auth code. Get it from the current registrar',
  other: () => 'cannot be transferred now, according to its registry',
};

export function reportedObstacle(reported: { readonly reason: string; readonly from: Date | null }): Obstacle {
  const reason = reported.reason in obstacleSentences ? (reported.reason as Obstacle['reason']) : 'other';
  return { reason, sentence: obstacleSentences[reason](reported.from), from: reported.from };
}

const day = (at: Date): string => at.toISOString().slice(0, 10);

/** When all obstacles have ended; null if time alone does not end them. */
export function possibleFrom(obstacles: readonly Obstacle[]): Date | null {
  const dates = obstacles.map(({ from }) => from?.getTime() ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...dates);
  return Number.isFinite(last) ? new Date(last) : null;
}
