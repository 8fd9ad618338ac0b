import { type Account, accountOf, costOfUnits } from './account.ts';
import { dayMs } from './calendar.ts';
import { Disagreement } from './disagreement.ts';
import { type Line, read, readBalance, type Statement } from './facts.ts';
import { judgeBooks } from './judge-books.ts';
import { judgeNames } from './judge-names.ts';
import type { Order } from './order.ts';
import type { Ledger, Play } from './player.ts';
import { decimal, pricesOf } from './price-table.ts';
import type { Trader } from './traders.ts';

/**
 * The judge. It knows the registry's own record of what it did, what was ordered, its own price table, calendar and graces, and what the
 * documents promise, and nothing of the code: each thing that the registry did is paid for once, at the price of the table on every level,
 * and nothing else is.
 */
export async function judge(play: Play, patience: { booksWaitMs?: number } = {}): Promise<void> {
  const { world, ledger } = play;
  const complained = ledger.orders.find(({ complaint }) => complaint !== undefined);
  if (complained !== undefined) throw new Disagreement('order', complained.complaint ?? '');
  const statement = await ledger.statement.read(world);
  let accounts = accountsOf(ledger, statement);
  const complaints = [...accounts.values()].flatMap((account) => account.complaints);
  if (complaints.length > 0) throw new Disagreement('order', `${complaints.join('; ')}\n${shown(ledger, statement)}`);
  const balances = await Promise.all(ledger.chain.map((trader) => readBalance(world, trader)));
  for (const [level, { held }] of balances.entries())
    if (held !== 0)
      throw new Disagreement('hold', `${decimal(held)} are on hold on level ${level}, nothing is under way`);
  const isRight = (trader: Trader) => balances[trader.level]?.available === expectedBalance(ledger, accounts, trader);
  if (!ledger.chain.every(isRight)) accounts = accountsOf(ledger, statement, await withheld(play));
  for (const trader of ledger.chain) {
    if (isRight(trader)) continue;
    const [is, should] = [balances[trader.level]?.available ?? 0, expectedBalance(ledger, accounts, trader)];
    const words = `balance of reseller ${trader.resellerId} is ${decimal(is)}, should be ${decimal(should)}`;
    throw new Disagreement('money', `${words}\n${shown(ledger, statement)}`, is - should);
  }
  try {
    await judgeNames(play, accounts, () => shown(ledger, statement));
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    // A date may have passed between the statement and the names: what differs by a newer statement, differs.
    const newer = await ledger.statement.read(world);
    await judgeNames(play, accountsOf(ledger, newer), () => shown(ledger, newer));
  }
  for (const name of ledger.names) await judgePrivacy(play, name);
  await judgeBooks(play, accounts, patience.booksWaitMs);
}

export type Accounts = ReadonlyMap<string, Account & { readonly buyer: Trader }>;

function accountsOf(ledger: Ledger, statement: Statement, isWithheld?: (line: Line) => boolean): Accounts {
  const byName = Map.groupBy(ledger.orders, ({ name }) => name);
  return new Map(
    [...byName].map(([name, orders]) => {
      const account = accountOf(name, statement.get(name) ?? [], orders, isWithheld);
      return [name, { ...account, buyer: (orders[0] as Order).buyer }];
    }),
  );
}

/** docs/guide/money.md: who buys pays its parent, who pays its own in the same transaction. */
export function expectedBalance(ledger: Ledger, accounts: Accounts, { level }: Trader): number {
  let balance = ledger.opening[level] ?? 0;
  for (const { cents, debit, answer } of level === 0 ? ledger.deposits : [])
    if (answer === 'booked') balance += debit ? -cents : cents;
  for (const [name, { units, buyer }] of accounts)
    if (buyer.level >= level) balance -= costOfUnits(units, pricesOf(name, level));
  return balance;
}

/** After so long a name that was deleted has been dropped, in a grace or not: nothing shows which it was. */
const droppedAfterMs = 30 * dayMs;
const alarmsAtMost = 100;

/**
 * docs/guide/domain-states.md, what a delete gives back: where it cannot be found out whether a grace was still open, nothing is given back and
 * the operator is told (alarm `refund:<operation>`).
 */
async function withheld({ world, ledger }: Play): Promise<(line: Line) => boolean> {
  const { body } = await read(world, `/v1/operator/alarms?limit=${alarmsAtMost}`, 'operator');
  const keys = new Set((body as { key: string }[]).map(({ key }) => key));
  const unproven = ledger.orders.filter(
    ({ verb, operationId, placedAt, finalAt = 0 }) =>
      verb === 'delete' && finalAt - placedAt > droppedAfterMs && keys.has(`refund:${operationId}`),
  );
  return ({ domain, refundedAt = 0 }) =>
    unproven.some(
      ({ name, placedAt, finalAt = 0 }) => name === domain && refundedAt >= placedAt && refundedAt <= finalAt,
    );
}

/** Nothing that happens to a living name takes back privacy that is paid for. */
async function judgePrivacy({ world, ledger }: Play, name: string): Promise<void> {
  const bought = ledger.orders.find(
    (order) => order.name === name && (order.verb === 'privacy' || order.withPrivacy) && order.state === 'done',
  );
  if (bought === undefined) return;
  const { status, body } = await read(world, `/v1/domains/${name}/privacy_protection`, bought.buyer.caller);
  if (status !== 200 || typeof body.privacy_ends_at !== 'string') return;
  const [until, before] = [Date.parse(body.privacy_ends_at), ledger.privacyUntil.get(name) ?? 0];
  if (until < before) {
    const [now, then] = [until, before].map((at) => new Date(at).toISOString());
    throw new Disagreement('privacy', `privacy of ${name} was paid until ${then}, and now only until ${now}`);
  }
  ledger.privacyUntil.set(name, until);
}

function shown(ledger: Ledger, statement: Statement): string {
  const time = (at: number) => new Date(at).toISOString();
  const lines = (name: string) =>
    (statement.get(name) ?? []).map(
      ({ at, kind, command, years, refundedAt }) =>
        `  registry ${time(at)} ${kind} ${command} ${name} ${years}y${refundedAt ? ' (refunded)' : ''}`,
    );
  const orders = (name: string) =>
    ledger.orders
      .filter((order) => order.name === name)
      .map(
        ({ placedAt, verb, years, withPrivacy, answer, state = '', operationId = '' }) =>
          `  order    ${time(placedAt)} ${verb} ${name} ${years}y${withPrivacy ? ' with privacy' : ''} ${answer} ${state} ${operationId}`,
      );
  return ledger.names.flatMap((name) => [...lines(name), ...orders(name)]).join('\n');
}
