import { dayMs, sameDay, yearsOn } from './calendar.ts';
import type { Line } from './facts.ts';
import { graceDaysOf } from './graces.ts';
import type { Order } from './order.ts';
import type { Prices } from './price-table.ts';

/** What a name has cost and been given, by what the registry did with it. */
export interface Account {
  /** Years, and restores, that are to be paid: done, and not given back. */
  readonly units: Prices;
  /** Years that the registry added by itself and nobody has paid for. */
  readonly unpaidYears: number;
  /** What the registry took for years that no reseller has paid: the operator's loss, unless somebody renews or the name is deleted in time. */
  readonly lossCents: number;
  /** Restores that the registry took money for, and the operator gave back. */
  readonly forgivenCents: number;
  /** What the registry gave back, and the reseller did not get because nobody could tell. */
  readonly withheldCents: number;
  /** By the calendar: when the registration that stands runs out. */
  readonly expiresAt: number | undefined;
  readonly complaints: readonly string[];
}

export const costOfUnits = (units: Prices, prices: Prices): number =>
  units.create * prices.create +
  units.renew * prices.renew +
  units.restore * prices.restore +
  units.privacy * prices.privacy;

const years = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.years, 0);

const cents = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.cents, 0);

/** `isWithheld`: given back to us by the registry, and by the documents not to the reseller. */
export function accountOf(
  name: string,
  lines: readonly Line[],
  orders: readonly Order[],
  isWithheld: (line: Line) => boolean = () => false,
): Account {
  const kept = (some: readonly Line[]) => some.filter((line) => line.refundedAt === undefined || isWithheld(line));
  const charged = lines.filter(({ kind }) => kind === 'charge');
  const isForgiven = (line: Line) => orders.some((order) => forgives(order, line));
  const charges = charged.filter((line) => !isForgiven(line));
  const of = (command: string) => charges.filter((line) => line.command === command);
  const [creates, restores, autos] = [of('create'), of('restore'), of('autorenew')];
  const isOfRestore = (line: Line) => restores.some(({ clTRID }) => clTRID === line.clTRID);
  const renews = of('renew').filter((line) => !isOfRestore(line));
  const { paid, complaints, linesOf } = renewalsOf(name, orders, renews, autos, charges);
  const free = kept(autos).filter((line) => !paid.has(line));
  const since = lastBeginning(charges, Number.POSITIVE_INFINITY);
  const unpaid = free.filter((line) => line.at > since);
  return {
    units: {
      create: years(kept(creates)),
      renew: years(kept(of('renew'))) + kept([...paid]).length,
      restore: kept(restores).length,
      privacy: privacyYears(orders, creates, (order) => linesOf.get(order) ?? []),
    },
    unpaidYears: unpaid.length,
    lossCents: cents([...free, ...charged.filter(isForgiven)]),
    forgivenCents: cents(charged.filter(isForgiven)),
    withheldCents: cents(charges.filter(isWithheld)),
    expiresAt: endOf(charged),
    complaints: [...complaints, ...graceComplaints(name, charges), ...endComplaints(orders, charges)],
  };
}

/** The registry took it, the name is gone, and the operator gave the money back. */
const forgives = ({ verb, decided, placedAt, finalAt = 0 }: Order, { command, at }: Line): boolean =>
  decided === 'refused' &&
  verb === 'restore' &&
  (command === 'restore' || command === 'renew') &&
  at >= placedAt &&
  at <= finalAt;

/**
 * A name that is registered anew owes nothing of its life before, and what was restored is paid for as it stands: what nobody was awake
 * to delete before that is the operator's loss.
 */
const lastBeginning = (charges: readonly Line[], until: number): number =>
  charges.findLast(({ command, at }) => (command === 'create' || command === 'restore') && at <= until)?.at ?? 0;

/** CHOICES, section 9: a renewal pays for the years that the registry has added by itself, the oldest first. */
function renewalsOf(
  name: string,
  orders: readonly Order[],
  renews: readonly Line[],
  autos: readonly Line[],
  charges: readonly Line[],
) {
  const paid = new Set<Line>();
  const complaints: string[] = [];
  const linesOf = new Map<Order, readonly Line[]>();
  for (const order of orders) {
    if (order.verb !== 'renew' || order.state !== 'done') continue;
    const until = order.finalAt ?? Number.POSITIVE_INFINITY;
    const own = renews.filter((line) => line.at >= order.placedAt && line.at <= until);
    const sent = years(own);
    const byItself = order.years - sent;
    const since = lastBeginning(charges, until);
    const open = autos.filter((line) => line.at > since && line.at <= until && !paid.has(line));
    const taken = open.slice(0, Math.max(0, byItself));
    if (byItself !== taken.length) {
      const gave = `the registry gave ${sent} and ${open.length} by itself`;
      complaints.push(`${name}: a renewal for ${order.years} is done, ${gave}`);
      continue;
    }
    for (const line of taken) paid.add(line);
    linesOf.set(order, [...own, ...taken]);
  }
  return { paid, complaints, linesOf };
}

/**
 * docs/guide/buying-a-domain.md: privacy is paid by the year, when bought alone and with a registration or a renewal. It comes back with the
 * registration that it was for, and with the years of a renewal that it was bought with.
 */
function privacyYears(
  orders: readonly Order[],
  creates: readonly Line[],
  linesOf: (order: Order) => readonly Line[],
): number {
  return orders.reduce((sum, order) => {
    const { state, verb, withPrivacy, years: bought, finalAt = 0 } = order;
    if (state !== 'done' || (verb !== 'privacy' && !withPrivacy)) return sum;
    if (creates.findLast(({ at }) => at <= finalAt)?.refundedAt !== undefined) return sum;
    const back = verb === 'renew' ? linesOf(order).filter(({ refundedAt }) => refundedAt !== undefined) : [];
    return sum + bought - years(back);
  }, 0);
}

const actOf: Partial<Record<Order['verb'], string>> = { register: 'create', restore: 'restore' };

/** docs/guide/operations.md: done is carried out, refused is a definite no. */
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

/** Every year that stands, counted from the day of the create. */
function endOf(charges: readonly Line[]): number | undefined {
  const born = charges.findLast(({ command }) => command === 'create');
  if (born === undefined || born.refundedAt !== undefined) return undefined;
  const standing = charges.filter(({ id, refundedAt }) => id >= born.id && refundedAt === undefined);
  return yearsOn(born.at, years(standing));
}

const graceOf: Readonly<Record<string, 'add' | 'renew' | 'autoRenew'>> = {
  create: 'add',
  renew: 'renew',
  autorenew: 'autoRenew',
};
/** A review that is refused gives the create back at any time (packages/sandbox/README.md). */
const isGivenBackLate = (name: string, { command, at, refundedAt = 0 }: Line): boolean => {
  const grace = graceOf[command];
  const days = grace === undefined ? 0 : graceDaysOf(name)[grace];
  if (command === 'create' && graceDaysOf(name).review > 0) return false;
  return refundedAt > at + days * dayMs;
};

function graceComplaints(name: string, charges: readonly Line[]): string[] {
  return charges
    .filter((line) => line.refundedAt !== undefined && isGivenBackLate(name, line))
    .map((line) => `${name}: ${line.command} was given back after the end of its grace`);
}

/** The registry's own date against the calendar's; a leap day apart is no difference. */
export const expiryAgrees = (account: Account, expiresAt: string): boolean =>
  account.expiresAt === undefined || sameDay(account.expiresAt, Date.parse(expiresAt));
