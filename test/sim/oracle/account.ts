import type { Line } from '../facts.ts';
import type { Order } from '../order.ts';
import type { Trader } from '../resellers.ts';
import { dayMs, sameDay, yearsOn } from './calendar.ts';
import { graceDaysOf } from './graces.ts';
import type { Prices } from './price-table.ts';
import type { Renewal } from './renewals.ts';

/** Years of this, or a number of times, to be paid by this reseller and all above it. */
interface Due {
  readonly of: keyof Prices;
  readonly count: number;
  readonly payer: Trader;
  /** It may or may not have been sold. */
  readonly isDoubtful?: boolean;
}

/** The charges and refunds of a domain, from the registry's commands. */
export interface Account {
  /** Years, and restores, that must be paid: executed and not refunded. */
  readonly dues: readonly Due[];
  /** Years that the registry added automatically and no reseller has paid. */
  readonly unpaidYears: number;
  /** Charges of the registry for unpaid years: the operator's loss, unless the domain is renewed or deleted in time. */
  readonly lossCents: number;
  /** Restores that the registry charged and the operator refunded. */
  readonly forgivenCents: number;
  /** Refunds of the registry that the reseller did not get because they could not be proven. */
  readonly withheldCents: number;
  /** By the calendar: the expiry of the current registration. */
  readonly expiresAt: number | undefined;
  readonly complaints: readonly string[];
}

const years = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.years, 0);

const cents = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.cents, 0);

interface Life {
  readonly name: string;
  readonly lines: readonly Line[];
  /** Commands of the other registrar. */
  readonly foreign: readonly Line[];
  readonly orders: readonly Order[];
  readonly renewals: readonly Renewal[];
  /** The reseller that had the domain and paid. */
  readonly ownerAt: (at: number) => Trader;
  /** The possible error of renewal times. */
  readonly skewMs: number;
}

/** `isWithheld`: refunded to us by the registry, and by the documents not to the reseller. */
export function accountOf(
  { name, lines, foreign, orders, renewals, ownerAt, skewMs }: Life,
  isWithheld: (line: Line) => boolean = () => false,
): Account {
  const kept = (some: readonly Line[]) => some.filter((line) => line.refundedAt === undefined || isWithheld(line));
  const charged = lines.filter(({ kind }) => kind === 'charge');
  const isForgiven = (line: Line) => orders.some((order) => forgives(order, line) || expired(order, line, charged));
  const charges = charged.filter((line) => !isForgiven(line));
  const of = (command: string) => charges.filter((line) => line.command === command);
  const [creates, restores, autos] = [of('create'), of('restore'), of('autorenew')];
  const isOfRestore = (line: Line) => restores.some(({ clTRID }) => clTRID === line.clTRID);
  const renews = of('renew').filter((line) => !isOfRestore(line));
  const { paid, complaints, linesOf } = linesOfRenewals({ name, renewals, skewMs }, renews, autos, charges);
  const payerOf = (line: Line) => orderOf(line, orders)?.buyer ?? ownerAt(line.at);
  const free = kept(autos).filter((line) => !paid.has(line));
  const since = lastBeginning(charges, Number.POSITIVE_INFINITY);
  return {
    dues: [
      ...kept(creates).map((line): Due => ({ of: 'create', count: line.years, payer: payerOf(line) })),
      ...kept(of('transfer')).map((line): Due => ({ of: 'transfer', count: 1, payer: payerOf(line) })),
      ...kept(restores).map((line): Due => ({ of: 'restore', count: 1, payer: payerOf(line) })),
      ...kept(of('renew').filter(isOfRestore)).map(
        (line): Due => ({ of: 'renew', count: line.years, payer: payerOf(line) }),
      ),
      ...renewals.map(
        ({ operationId, payer }): Due => ({ of: 'renew', count: years(kept(linesOf.get(operationId) ?? [])), payer }),
      ),
      ...privacyDues(orders, renewals, creates, linesOf),
    ],
    unpaidYears: free.filter((line) => line.at > since).length,
    lossCents: cents([...free, ...charged.filter(isForgiven)]),
    forgivenCents: cents(charged.filter(isForgiven)),
    withheldCents: cents(charges.filter(isWithheld)),
    expiresAt: endOf([...charged, ...foreign.filter(({ kind }) => kind === 'charge')]),
    complaints: [...complaints, ...graceComplaints(name, charges), ...endComplaints(orders, charges)],
  };
}

/** The registry charged it, the domain is gone, and the operator refunded it. */
const forgives = ({ verb, decided, placedAt, finalAt = 0 }: Order, { command, at }: Line): boolean =>
  decided === 'refused' &&
  verb === 'restore' &&
  (command === 'restore' || command === 'renew') &&
  at >= placedAt &&
  at <= finalAt;

/**
 * Without a running process this restore had no report, so the registry reverted it, and the same order restored the domain again: one
 * order is paid once.
 */
const expired = ({ verb, state, placedAt, finalAt = 0 }: Order, line: Line, charged: readonly Line[]): boolean =>
  verb === 'restore' &&
  state === 'done' &&
  line.command === 'restore' &&
  line.at >= placedAt &&
  charged.some(({ command, at }) => command === 'restore' && at > line.at && at <= finalAt);

/**
 * A domain that is registered again, or transferred in, owes nothing of its former life, and a restore is charged as it is. Charges
 * before a delete that no process ran are the operator's loss.
 */
const lastBeginning = (charges: readonly Line[], until: number): number =>
  charges.findLast(({ command, at }) => beginnings.includes(command) && at <= until)?.at ?? 0;
const beginnings: readonly string[] = ['create', 'transfer', 'restore'];

/** Events have whole seconds. */
const slackMs = 1_000;

/**
 * CHOICES, section 9: a renewal pays for the years that the registry has added automatically, the oldest first. A domain has one open
 * operation at a time, so the lines of the registry and the finished renewals are in the same order.
 */
function linesOfRenewals(
  { name, renewals, skewMs }: Pick<Life, 'name' | 'renewals' | 'skewMs'>,
  renews: readonly Line[],
  autos: readonly Line[],
  charges: readonly Line[],
) {
  const paid = new Set<Line>();
  const complaints: string[] = [];
  const linesOf = new Map<string, readonly Line[]>();
  const left = [...renews];
  const reachMs = slackMs + skewMs;
  for (const { operationId, years: wanted, at } of renewals) {
    const own: Line[] = [];
    // A longer one belongs to the next renewal, which a jump of the clock has brought near.
    while (left[0] !== undefined && left[0].at <= at + reachMs && years([...own, left[0]]) <= wanted)
      own.push(left.shift() as Line);
    const sent = years(own);
    const byItself = wanted - sent;
    const since = lastBeginning(charges, at + skewMs);
    const open = autos.filter((line) => line.at > since && line.at <= at + reachMs && !paid.has(line));
    const taken = open.slice(0, Math.max(0, byItself));
    if (byItself !== taken.length) {
      const gave = `the registry was sent ${sent} and added ${open.length} automatically`;
      complaints.push(`${name}: the renewal ${operationId} for ${wanted} is done, ${gave}`);
      continue;
    }
    for (const line of taken) paid.add(line);
    linesOf.set(operationId, [...own, ...taken]);
  }
  for (const { at, years: added } of left)
    complaints.push(
      `${name}: the registry renewed for ${added} at ${new Date(at).toISOString()}, without a renewal here`,
    );
  return { paid, complaints, linesOf };
}

/**
 * docs/guide/registering-domains.md: privacy is paid by the year, when bought alone and with a registration or a renewal. It is refunded
 * with the registration that it was for, and with the years of a renewal that it was bought with.
 */
function privacyDues(
  orders: readonly Order[],
  renewals: readonly Renewal[],
  creates: readonly Line[],
  linesOf: ReadonlyMap<string, readonly Line[]>,
): Due[] {
  const isBack = (at: number) => creates.findLast((line) => line.at <= at)?.refundedAt !== undefined;
  const alone = orders
    .filter(
      ({ state, verb, withPrivacy, finalAt = 0 }) =>
        state === 'done' && (verb === 'privacy' || (verb === 'register' && withPrivacy)) && !isBack(finalAt),
    )
    .map(({ years: bought, buyer }): Due => ({ of: 'privacy', count: bought, payer: buyer }));
  const withRenewal = renewals
    .filter(({ withPrivacy, at }) => withPrivacy && !isBack(at))
    .map(({ operationId, years: bought, payer, withPrivacy }): Due => {
      const back = (linesOf.get(operationId) ?? []).filter(({ refundedAt }) => refundedAt !== undefined);
      return { of: 'privacy', count: bought - years(back), payer, isDoubtful: withPrivacy === 'perhaps' };
    });
  return [...alone, ...withRenewal];
}

/** The order that caused the registry's command. */
function orderOf({ command, at, clTRID }: Line, orders: readonly Order[]): Order | undefined {
  // A renewal without a restore has a payer of its own.
  const act = command === 'renew' && clTRID !== null ? 'restore' : command;
  return orders.find(
    ({ verb, placedAt, finalAt = Number.POSITIVE_INFINITY, state }) =>
      actOf[verb] === act && state === 'done' && at >= placedAt && at <= finalAt,
  );
}

const actOf: Partial<Record<Order['verb'], string>> = {
  register: 'create',
  transfer: 'transfer',
  restore: 'restore',
};

/** docs/guide/operations.md: done means executed, refused means definitely not. */
function endComplaints(orders: readonly Order[], charges: readonly Line[]): string[] {
  return orders.flatMap(({ verb, name, state, placedAt, finalAt, operationId }) => {
    const command = actOf[verb];
    if (command === undefined || finalAt === undefined) return [];
    const isAlone = orders.every(
      (other) => other.operationId === operationId || other.placedAt > finalAt || (other.finalAt ?? 0) < placedAt,
    );
    if (!isAlone) return [];
    const acts = charges.filter((line) => line.command === command && line.at >= placedAt && line.at <= finalAt);
    if (state === 'done' && acts.length === 0) return [`${verb} of ${name} is done, and the registry did nothing`];
    const stands = acts.some(({ refundedAt }) => refundedAt === undefined);
    return state !== 'done' && stands ? [`${verb} of ${name} is ${state}, and the registry has done it`] : [];
  });
}

/** Every year that remains, counted from the day of the create. */
function endOf(unsorted: readonly Line[]): number | undefined {
  const charges = [...unsorted].sort((one, other) => one.id - other.id);
  const born = charges.findLast(({ command }) => command === 'create');
  if (born === undefined || born.refundedAt !== undefined) return undefined;
  const standing = charges.filter(({ id, refundedAt }) => id >= born.id && refundedAt === undefined);
  return yearsOn(born.at, years(standing));
}

const graceOf: Readonly<Record<string, 'add' | 'renew' | 'transfer' | 'autoRenew'>> = {
  create: 'add',
  transfer: 'transfer',
  renew: 'renew',
  autorenew: 'autoRenew',
};
/** A refused review refunds the create at any time (packages/sandbox/README.md). */
const isRefundedLate = (name: string, { command, at, refundedAt = 0 }: Line): boolean => {
  const grace = graceOf[command];
  const days = grace === undefined ? 0 : graceDaysOf(name)[grace];
  if (command === 'create' && graceDaysOf(name).review > 0) return false;
  return refundedAt > at + days * dayMs;
};

function graceComplaints(name: string, charges: readonly Line[]): string[] {
  return charges
    .filter((line) => line.refundedAt !== undefined && isRefundedLate(name, line))
    .map((line) => `${name}: ${line.command} was refunded after the end of its grace period`);
}

/** The registry's own date against the calendar's; one day in a leap year is not a difference. */
export const expiryAgrees = (account: Account, expiresAt: string): boolean =>
  account.expiresAt === undefined || sameDay(account.expiresAt, Date.parse(expiresAt));
