import { setTimeout as sleep } from 'node:timers/promises';
import { sameDay, yearsOn } from './calendar.ts';
import { type Line, type Registered, read, readBalance, readLines, readRegistered } from './facts.ts';
import type { Order } from './order.ts';
import type { Ledger, Play } from './player.ts';
import { decimal, pricesOf } from './price-table.ts';

/**
 * The judge. It knows the registry's own record of what it did, what was ordered, its own price table and what the documents promise, and
 * nothing of the code: each thing that the registry did is paid for once, at the price of the table, and nothing else is.
 */
export class Disagreement extends Error {
  override name = 'Disagreement';
  /** Where it is about money: ours less what it should be, in cents. */
  readonly cents: number;
  constructor(message: string, cents = 0) {
    super(message);
    this.cents = cents;
  }
}

/** What a name has cost, by what the registry did with it. */
interface Account {
  readonly due: number;
  /** Years that the registry added by itself and nobody has paid for. */
  readonly unpaidYears: number;
  readonly complaints: readonly string[];
}

export function accountOf(name: string, all: readonly Line[], orders: readonly Order[]): Account {
  const prices = pricesOf(name);
  const complaints: string[] = [];
  const charges = all.filter((line) => line.domain === name && line.kind === 'charge');
  const restores = charges.filter(({ command }) => command === 'restore');
  const isOfRestore = (line: Line) => restores.some(({ clTRID }) => clTRID === line.clTRID);
  const renews = charges.filter((line) => line.command === 'renew' && !isOfRestore(line));
  const autos = charges.filter(({ command }) => command === 'autorenew');
  const paid = new Set<Line>();
  for (const order of orders) {
    if (order.verb !== 'renew' || order.state !== 'done') continue;
    const until = order.finalAt ?? Number.POSITIVE_INFINITY;
    const during = (line: Line) => line.at >= order.placedAt && line.at <= until;
    const sent = years(renews.filter(during));
    const byItself = order.years - sent;
    if (byItself === 0) continue;
    // docs, CHOICES section 9: a renewal pays for the years that the registry has added by itself, the oldest first.
    const since = lastBeginning(charges, until);
    const open = autos.filter((line) => line.at > since && line.at <= until && !paid.has(line));
    if (byItself < 0 || byItself > open.length) {
      complaints.push(
        `${name}: a renewal for ${order.years} is done, the registry gave ${sent} and ${open.length} by itself`,
      );
    } else for (const line of open.slice(0, byItself)) paid.add(line);
  }
  const kept = (lines: readonly Line[]) => lines.filter((line) => !line.isRefunded);
  const due =
    prices.create * years(kept(charges.filter(({ command }) => command === 'create'))) +
    prices.renew * (years(kept(renews)) + years(kept(charges.filter((l) => l.command === 'renew' && isOfRestore(l))))) +
    prices.renew * kept([...paid]).length +
    prices.restore * kept(restores).length;
  const since = lastBeginning(charges, Number.POSITIVE_INFINITY);
  const unpaid = kept(autos).filter((line) => !paid.has(line) && line.at > since);
  return { due, unpaidYears: unpaid.length, complaints };
}

/**
 * A name that is registered anew owes nothing of its life before, and what was restored is paid for as it stands: what nobody was awake
 * to delete before that is the operator's loss.
 */
const lastBeginning = (charges: readonly Line[], until: number): number =>
  charges.findLast(({ command, at }) => (command === 'create' || command === 'restore') && at <= until)?.at ?? 0;

const years = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.years, 0);

/** docs/guide/money.md: privacy is paid by the year, when bought alone and with a registration or a renewal. */
function privacyOf(orders: readonly Order[]): number {
  const bought = orders.filter(
    ({ state, verb, withPrivacy }) => state === 'done' && (verb === 'privacy' || withPrivacy),
  );
  return bought.reduce((sum, order) => sum + pricesOf(order.name).privacy * order.years, 0);
}

export function expectedBalance(ledger: Ledger, lines: readonly Line[]): number {
  const names = new Set(ledger.orders.map(({ name }) => name));
  let balance = ledger.openingCents;
  for (const { cents: amount, debit, answer } of ledger.deposits)
    if (answer === 'booked') balance += debit ? -amount : amount;
  for (const name of names) {
    const own = ledger.orders.filter((order) => order.name === name);
    balance -= accountOf(name, lines, own).due + privacyOf(own);
  }
  return balance;
}

/** Everything settled: money to the cent, then names. */
export async function judge({ world, ledger }: Play): Promise<void> {
  const lines = await readLines(world);
  for (const name of ledger.names) {
    const own = ledger.orders.filter((order) => order.name === name);
    const { complaints } = accountOf(name, lines, own);
    if (complaints.length > 0) throw new Disagreement(`${complaints.join('; ')}\n${shown(ledger, lines)}`);
  }
  const expected = expectedBalance(ledger, lines);
  const { available: is, held } = await readBalance(world);
  if (held !== 0) throw new Disagreement(`${decimal(held)} are on hold and nothing is under way`);
  if (is !== expected)
    throw new Disagreement(
      `balance is ${decimal(is)}, should be ${decimal(expected)}\n${shown(ledger, lines)}`,
      is - expected,
    );
  await judgeNames({ world, ledger }, lines);
  for (const name of ledger.names) await judgePrivacy({ world, ledger }, name);
}

/** Nothing that happens to a living name takes back privacy that is paid for. */
async function judgePrivacy({ world, ledger }: Pick<Play, 'world' | 'ledger'>, name: string): Promise<void> {
  const isBought = ledger.orders.some(
    (o) => o.name === name && (o.verb === 'privacy' || o.withPrivacy) && o.state === 'done',
  );
  if (!isBought) return;
  const { status, body } = await read(world, `/v1/domains/${name}/privacy_protection`);
  if (status !== 200 || typeof body.privacy_ends_at !== 'string') return;
  const [until, before] = [Date.parse(body.privacy_ends_at), ledger.privacyUntil.get(name) ?? 0];
  if (until < before) {
    const [now, then] = [until, before].map((at) => new Date(at).toISOString());
    throw new Disagreement(
      `privacy of ${name} was paid until ${then}, and now only until ${now}\n${shown(ledger, [])}`,
    );
  }
  ledger.privacyUntil.set(name, until);
}

function shown(ledger: Ledger, lines: readonly Line[]): string {
  return ledger.names
    .flatMap((name) => [
      ...lines
        .filter((line) => line.domain === name)
        .map(
          (line) =>
            `  registry ${new Date(line.at).toISOString()} ${line.kind} ${line.command} ${name} ${line.years}y${line.isRefunded ? ' (refunded)' : ''}`,
        ),
      ...ledger.orders
        .filter((order) => order.name === name)
        .map(
          (o) =>
            `  order    ${new Date(o.placedAt).toISOString()} ${o.verb} ${name} ${o.years}y ${o.answer} ${o.state ?? ''} ${o.operationId ?? ''}`,
        ),
    ])
    .join('\n');
}

const stateOf: Readonly<Record<Registered['phase'], string>> = {
  active: 'live',
  expired: 'live',
  pendingCreate: 'pending',
  redemption: 'redemption',
  pendingRestore: 'pending_restore',
  pendingDelete: 'pending_delete',
};

const catchUpMs = 120_000;

/** The clockwork reads messages and dates in its own time (docs/operate/registries.md: every minute); what still differs then, differs. */
async function judgeNames({ world, ledger }: Pick<Play, 'world' | 'ledger'>, lines: readonly Line[]): Promise<void> {
  const until = performance.now() + catchUpMs;
  for (const name of ledger.names) {
    for (;;) {
      const difference = await nameDifference({ world, ledger }, name, lines);
      if (difference === undefined) break;
      if (performance.now() > until) throw new Disagreement(`${difference}\n${shown(ledger, lines)}`);
      await sleep(500);
    }
  }
}

async function nameDifference(
  { world, ledger }: Pick<Play, 'world' | 'ledger'>,
  name: string,
  lines: readonly Line[],
): Promise<string | undefined> {
  const there = await readRegistered(world, name);
  const { status, body } = await read(world, `/v1/domains/${name}`);
  const here = status === 200 && body.state !== 'removed' ? (body.state as string) : 'none';
  const expected = there === undefined || there.sponsor !== 'namehold' ? 'none' : stateOf[there.phase];
  if (here !== expected) return `${name} is ${here} here, and should be ${expected} by the registry`;
  if (there?.phase !== 'active') return undefined;
  const own = ledger.orders.filter((order) => order.name === name);
  const { unpaidYears } = accountOf(name, lines, own);
  const paidUntil = yearsOn(Date.parse(there.expiresAt), -unpaidYears);
  const ours = Date.parse(`${(body.end_date as string).replace(' ', 'T')}Z`);
  if (sameDay(ours, paidUntil)) return undefined;
  return `${name} is paid until ${new Date(paidUntil).toISOString()}, and end_date says ${body.end_date}`;
}
