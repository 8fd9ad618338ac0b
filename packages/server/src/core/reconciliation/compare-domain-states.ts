import { dayMs, formatMoney, money } from '@namehold/base';
import { feeMoney } from '../model/fee-money.ts';
import type { Holding, StatementLine } from '../ports/registry.ts';
import type { FoundRow } from './difference.ts';
import type { OurName } from './registry.sql.ts';

/** Registries round dates differently, and a leap day moves a date by one. */
const sameDateMs = 3 * dayMs;
const yearMs = 365.25 * dayMs;

/** A domain as the registry reports it. `lines` is null without a statement. */
export type Shown = Pick<Holding, 'name' | 'isOurs' | 'expiresAt' | 'statuses'> & {
  readonly lines: readonly StatementLine[] | null;
};

const leavingStates = ['redemption', 'pending_restore', 'pending_delete'];

/** Compares one domain at the registry and here. Pure; a domain with an open operation is skipped. */
export function compareDomainStates(theirs: Shown | undefined, ours: OurName | undefined, now: Date): FoundRow[] {
  if (ours?.is_busy) return [];
  const name = (theirs?.name ?? ours?.name)!;
  const about = {
    subject: `name ${name}`,
    name,
    domain_id: ours?.domain_id ?? null,
    operation_id: ours?.overdue_id ?? ours?.operation_id ?? null,
    has_left: ours?.state === 'removed' && !theirs?.isOurs,
    is_overdue: (ours?.overdue_id ?? null) !== null,
  };
  const owed = owedDifference(theirs, ours, now);
  const money = owed[0] ? { amount: owed[0].amount.toString(), currency: owed[0].currency } : {};
  const wrongName = compareHolding(theirs, ours, now);
  // A difference of state explains the difference of money: only one is reported.
  if (wrongName) return [{ ...about, ...money, ...wrongName }];
  return owed.map((each) => ({
    ...about,
    rule:
      each.amount < 0n && theirs?.lines?.some((line) => line.kind === 'refund')
        ? 'registry_gave_back'
        : 'payable_differs',
    detail: `the registry charged ${show(each.theirs, each.currency)} for it, the ledger owes ${show(each.ours, each.currency)}`,
    amount: each.amount.toString(),
    currency: each.currency,
  }));
}

const show = (amount: bigint, currency: string): string => `${formatMoney(money(amount, currency))} ${currency}`;

function compareHolding(theirs: Shown | undefined, ours: OurName | undefined, now: Date) {
  const isHere = ours !== undefined && !['removed', 'pending', 'unpaid'].includes(ours.state);
  const isThere = theirs?.isOurs === true;
  if (isThere && !isHere)
    return {
      rule: 'held_there_not_here',
      detail: `the registry holds it for us; here it is ${ours?.state ?? 'unknown'}`,
    };
  if (!isHere || !ours) return undefined;
  const isLeaving = leavingStates.includes(ours.state);
  if (!isThere) {
    // The registry drops a domain at the end of its redemption on its own clock; the next comparison with the registry takes that over.
    if (isLeaving && ours.redemption_ends_at !== null && ours.redemption_ends_at <= now) return undefined;
    return { rule: 'held_here_not_there', detail: `here it is ${ours.state}; the registry does not hold it for us` };
  }
  const leavesThere = theirs.statuses?.includes('pendingDelete') ?? false;
  // Without auto-renewal the registry's clock alone ends a term; the next comparison with the registry takes that over.
  const ranOut = !ours.auto_renews && ours.end_date !== null && ours.end_date <= now;
  if (leavesThere !== isLeaving && !(leavesThere && ranOut)) {
    const there = leavesThere ? 'being deleted' : 'not deleted';
    return { rule: 'state_differs', detail: `here it is ${ours.state}; at the registry it is ${there}` };
  }
  return ours.state === 'live' ? compareExpiry(theirs, ours, now) : undefined;
}

/**
 * domain-states.md: the registry's date is the date that was paid for. It may be later in the auto-renew grace period, and while an
 * overdue domain is kept.
 */
function compareExpiry(theirs: Shown, ours: OurName, now: Date) {
  if (!ours.end_date || !theirs.expiresAt) return undefined;
  const ahead = theirs.expiresAt.getTime() - ours.end_date.getTime();
  if (Math.abs(ahead) <= sameDateMs) return undefined;
  if (ahead > 0 && ours.kept_until && ours.kept_until > now) return undefined;
  if (ahead > 0 && ours.end_date <= now && registryAutoRenewals(theirs, ours, ours.end_date, now).length > 0) {
    const known =
      theirs.lines?.filter(isRegistryAutoRenewal).length ?? 1 + yearsIn(now.getTime() - ours.end_date.getTime());
    if (Math.round(ahead / yearMs) <= known) return undefined;
  }
  const date = (at: Date) => at.toISOString().slice(0, 10);
  return {
    rule: 'expiry_differs',
    detail: `paid until ${date(ours.end_date)}, at the registry it ends on ${date(theirs.expiresAt)}`,
  };
}

const yearsIn = (ms: number): number => Math.floor(ms / yearMs);
const isRegistryAutoRenewal = (line: StatementLine): boolean => line.kind === 'charge' && line.command === 'autorenew';

/** Auto-renewals of the registry after this date that can still be refunded. */
function registryAutoRenewals(
  theirs: Shown,
  ours: OurName,
  since: Date | null,
  now: Date,
): readonly (StatementLine | undefined)[] {
  if (!ours.end_date || !since || !theirs.expiresAt || ours.state !== 'live') return [];
  const years = Math.round((theirs.expiresAt.getTime() - since.getTime()) / yearMs);
  if (years < 1) return [];
  const isOpen = (at: Date) => at.getTime() + ours.auto_renew_days * dayMs >= now.getTime();
  if (theirs.lines === null) return isOpen(ours.end_date) ? [undefined] : [];
  const own = theirs.lines.filter(isRegistryAutoRenewal);
  return own.slice(-years).filter((line) => isOpen(line.at));
}

/** Charges and refunds of the registry since the adoption. A refund of an older charge was never in the ledger. */
function sinceAdoption(lines: readonly StatementLine[], adoptedAt: Date | null): readonly StatementLine[] {
  if (adoptedAt === null) return lines;
  const open: StatementLine[] = [];
  const older = new Set<StatementLine>();
  for (const line of [...lines].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    if (line.at <= adoptedAt) older.add(line);
    if (line.kind === 'charge') {
      open.push(line);
      continue;
    }
    const charged = open.findLastIndex(
      (each) =>
        each.command === line.command && each.fee.amount === line.fee.amount && each.fee.currency === line.fee.currency,
    );
    const [charge] = charged < 0 ? [] : open.splice(charged, 1);
    if (charge && older.has(charge)) older.add(line);
  }
  return lines.filter((line) => !older.has(line));
}

interface Owed {
  readonly currency: string;
  readonly theirs: bigint;
  readonly ours: bigint;
  readonly amount: bigint;
}

function owedDifference(theirs: Shown | undefined, ours: OurName | undefined, now: Date): Owed[] {
  if (theirs && theirs.lines === null) return [];
  const taken = new Map<string, bigint>();
  const add = (currency: string, amount: bigint) => taken.set(currency, (taken.get(currency) ?? 0n) + amount);
  for (const { kind, fee } of sinceAdoption(theirs?.lines ?? [], ours?.adopted_at ?? null)) {
    const { amount } = feeMoney(fee);
    add(fee.currency, kind === 'charge' ? amount : -amount);
  }
  // Years that the registry added since the last comparison: the next one books them.
  for (const line of theirs && ours ? registryAutoRenewals(theirs, ours, ours.registry_expires_at, now) : [])
    if (line) add(line.fee.currency, -feeMoney(line.fee).amount);
  const currencies = new Set([...taken.keys(), ...Object.keys(ours?.payable ?? {})]);
  return [...currencies].flatMap((currency) => {
    const [there, here] = [taken.get(currency) ?? 0n, BigInt(ours?.payable[currency] ?? 0)];
    return there === here ? [] : [{ currency, theirs: there, ours: here, amount: there - here }];
  });
}
