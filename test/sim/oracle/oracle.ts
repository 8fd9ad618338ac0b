import { type Line, read, readBalance, type Statement } from '../facts.ts';
import type { Ledger, Play } from '../player.ts';
import type { Trader } from '../resellers.ts';
import { type Account, accountOf } from './account.ts';
import { dayMs } from './calendar.ts';
import { checkDomains } from './check-domains.ts';
import { checkTombstones, moveViolations, type Tenure, tenuresOf } from './check-moves.ts';
import { checkReconciliation } from './check-reconciliation.ts';
import { Disagreement } from './disagreement.ts';
import { decimal, pricesOf } from './price-table.ts';
import { type Log, renewalsOf, renewalViolations } from './renewals.ts';
import { verificationViolations } from './verification.ts';

/**
 * The test oracle. It uses the registry's own records, the orders, its own price table, calendar and grace periods, and the
 * documents, and none of the product's code. Each command of the registry is paid once, at the price of the table on every level,
 * and nothing else is.
 */
export async function runOracle(play: Play, waits: { reconciliationWaitMs?: number } = {}): Promise<void> {
  const { installation, ledger } = play;
  const complained = ledger.orders.find(({ complaint }) => complaint !== undefined);
  if (complained !== undefined) throw new Disagreement('order', complained.complaint ?? '');
  const statement = await ledger.statement.read(installation);
  await ledger.otherRegistrarStatement.read(installation);
  const log = await ledger.events.read(installation, ledger);
  let accounts = accountsOf(ledger, statement, log);
  const complaints = [...accounts.values()].flatMap((account) => account.complaints);
  if (complaints.length > 0) throw new Disagreement('order', `${complaints.join('; ')}\n${shown(ledger, statement)}`);
  const balances = await Promise.all(ledger.chain.map((trader) => readBalance(installation, trader)));
  for (const [level, { held }] of balances.entries())
    if (held !== 0)
      throw new Disagreement(
        'hold',
        `${decimal(held)} are on hold on level ${level}; now under way: ${await underWay(play)}`,
      );
  const isRight = (trader: Trader) => {
    const should = expectedBalance(ledger, accounts, trader);
    return doubts(accounts, trader).some((doubt) => balances[trader.level]?.available === should - doubt);
  };
  if (!ledger.chain.every(isRight)) accounts = accountsOf(ledger, statement, log, await withheld(play));
  for (const trader of ledger.chain) {
    if (isRight(trader)) continue;
    const [is, should] = [balances[trader.level]?.available ?? 0, expectedBalance(ledger, accounts, trader)];
    const words = `balance of reseller ${trader.resellerId} is ${decimal(is)}, should be ${decimal(should)}`;
    throw new Disagreement('money', `${words}\n${shown(ledger, statement)}`, is - should);
  }
  try {
    await checkDomains(play, accounts, () => shown(ledger, statement));
    await checkTombstones(play, log);
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    // A date may have passed between reading the statement and the domains: differences from a newer statement count.
    const newer = await ledger.statement.read(installation);
    await ledger.otherRegistrarStatement.read(installation);
    const newerLog = await ledger.events.read(installation, ledger);
    await checkDomains(play, accountsOf(ledger, newer, newerLog), () => shown(ledger, newer));
  }
  for (const name of ledger.names) await checkPrivacy(play, name);
  await checkReconciliation(play, accounts, waits.reconciliationWaitMs);
}

async function underWay({ installation }: Play): Promise<string> {
  const { body } = await installation.call('GET', '/v1/operator/operations?state=open&limit=100', { as: 'operator' });
  const open = body as readonly { kind: string; domain_name: string | null; state: string }[];
  return open.map(({ kind, domain_name, state }) => `${kind} of ${domain_name} (${state})`).join(', ') || 'nothing';
}

export type Accounts = ReadonlyMap<string, Account & { readonly buyer: Trader }>;

function accountsOf(ledger: Ledger, statement: Statement, log: Log, isWithheld?: (line: Line) => boolean): Accounts {
  const byName = Map.groupBy(ledger.orders, ({ name }) => name);
  return new Map(
    [...byName].map(([name, orders]) => {
      const renewals = renewalsOf(name, log, orders, ledger.skewMs);
      const [lines, foreign] = [statement.get(name) ?? [], ledger.otherRegistrarStatement.of(name)];
      const tenures = tenuresOf(log, orders);
      const ownerAt = (at: number) => (tenures.findLast(({ from }) => from <= at) ?? (tenures[0] as Tenure)).owner;
      const account = accountOf({ name, lines, foreign, orders, renewals, ownerAt, skewMs: ledger.skewMs }, isWithheld);
      const complaints = [
        ...account.complaints,
        ...renewalViolations(ledger, name, renewals, log),
        ...moveViolations(ledger, name, log),
        ...verificationViolations({ ledger }, log, name),
      ];
      return [name, { ...account, complaints, buyer: ledger.owners.get(name) ?? ownerAt(Number.POSITIVE_INFINITY) }];
    }),
  );
}

/** docs/guide/sub-resellers.md: a buyer pays its parent, which pays its own parent in the same transaction. */
function expectedBalance(ledger: Ledger, accounts: Accounts, { level }: Trader): number {
  let balance = ledger.opening[level] ?? 0;
  for (const { cents, debit, answer } of level === 0 ? ledger.deposits : [])
    if (answer === 'booked') balance += debit ? -cents : cents;
  for (const [name, { dues }] of accounts) {
    const prices = pricesOf(name, level);
    for (const { of, count, payer, isDoubtful } of dues)
      if (payer.level >= level && !isDoubtful) balance -= count * prices[of];
  }
  return balance;
}

const doubtsAtMost = 8;

/** Possible additional payments: every sum of the uncertain ones. */
function doubts(accounts: Accounts, { level }: Trader): number[] {
  let sums = [0];
  const doubtful = [...accounts].flatMap(([name, { dues }]) =>
    dues
      .filter(({ payer, isDoubtful }) => isDoubtful && payer.level >= level)
      .map(({ of, count }) => count * pricesOf(name, level)[of]),
  );
  for (const each of doubtful.slice(0, doubtsAtMost)) sums = [...new Set([...sums, ...sums.map((sum) => sum + each)])];
  return sums;
}

/** After this time a deleted domain has been dropped, in a grace period or not, so the case is unknown. */
const droppedAfterMs = 30 * dayMs;
const alarmsAtMost = 100;

/**
 * docs/guide/domain-states.md, refund of a delete: if it cannot be found out whether a grace period was still open, nothing is refunded
 * and the operator gets the alarm `refund:<operation>`.
 */
async function withheld({ installation, ledger }: Play): Promise<(line: Line) => boolean> {
  const { body } = await read(installation, `/v1/operator/alarms?limit=${alarmsAtMost}`, 'operator');
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

/** No change of a live domain removes paid privacy. */
async function checkPrivacy({ installation, ledger }: Play, name: string): Promise<void> {
  const bought = ledger.orders.find(
    (order) => order.name === name && (order.verb === 'privacy' || order.withPrivacy) && order.state === 'done',
  );
  if (bought === undefined) return;
  const { caller } = ledger.owners.get(name) ?? bought.buyer;
  const { status, body } = await read(installation, `/v1/domains/${name}/privacy_protection`, caller);
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
  const modes = (name: string) =>
    ledger.wishes
      .filter((wish) => wish.name === name)
      .map(
        ({ sentAt, mode, maxCents, answer }) =>
          `  mode     ${time(sentAt)} ${mode} ${name} ${maxCents ?? ''} ${answer}`,
      );
  const moves = (name: string) =>
    ledger.moves
      .filter((move) => move.name === name)
      .map(
        ({ from, to, ending, answer, state, moveId }) =>
          `  move     ${name} ${from.level} to ${to.level} ${ending} ${answer} ${state} ${moveId}`,
      );
  return ledger.names.flatMap((name) => [...lines(name), ...orders(name), ...modes(name), ...moves(name)]).join('\n');
}
