import { openWorld, type World, type WorldOptions } from '../faults/world.ts';
import { quieten } from './choose-mode.ts';
import { EventReader } from './events.ts';
import { readBalance, readPayable, StatementReader } from './facts.ts';
import { Disagreement } from './oracle/disagreement.ts';
import { leadDaysOf } from './oracle/graces.ts';
import { runOracle } from './oracle/oracle.ts';
import { priceTable } from './oracle/price-table.ts';
import type { Ledger } from './player.ts';
import { confirmShared } from './registrants.ts';
import { openChain, type Trader } from './resellers.ts';
import type { Script } from './script.ts';
import { settle } from './settle.ts';

/** A world with the oracle's prices, a chain of resellers, and a record of all requests. */
export interface Ground {
  readonly world: World;
  readonly ledger: Ledger;
  readonly isPatient: boolean;
}

/** A lease is renewed after a quarter of its length, and that flushes all earlier commits: a longer lease delays it. */
const longTimeouts: WorldOptions = { replyTimeoutMs: 12_000, leaseMs: 6_000 };

export async function openGround(isPatient = false, options: WorldOptions = {}): Promise<Ground> {
  const env = { NAMEHOLD_VERIFY_REGISTRANTS: 'hold', ...options.env };
  const world = await openWorld({ services: 2, ...(isPatient ? longTimeouts : {}), ...options, env });
  try {
    const chain = await openChain(world);
    await confirmShared(world, chain);
    for (const tld of Object.keys(priceTable)) await checkLead(world, tld);
    return { world, ledger: await newLedger(world, chain), isPatient };
  } catch (error) {
    await world.dispose();
    throw error;
  }
}

/** docs/guide/auto-renew.md: "usually 15"; the oracle uses the published value. */
async function checkLead(world: World, tld: string): Promise<void> {
  const { body } = await world.call('GET', `/v1/tlds/${tld}`);
  if (body?.rules?.renewal_lead_days !== leadDaysOf(`any.${tld}`))
    throw new Error(`renewals of ${tld} are tried from ${body?.rules?.renewal_lead_days} days before the end`);
}

async function newLedger(world: World, chain: readonly Trader[]): Promise<Ledger> {
  const balances = await Promise.all(chain.map((trader) => readBalance(world, trader)));
  const statement = new StatementReader();
  await statement.read(world);
  return {
    chain,
    opening: balances.map(({ available }) => available),
    statement,
    otherRegistrarStatement: new StatementReader('rival'),
    asked: new Set(),
    openingGap: (await readPayable(world)) - statement.owedCents,
    events: new EventReader(),
    skewMs: 0,
    orders: [],
    moves: [],
    registrants: new Map(),
    owners: new Map(),
    wishes: [],
    defaults: chain.map(() => ({ account: 'manual', customer: 'default' })),
    deposits: [],
    privacyUntil: new Map(),
    names: [],
  };
}

/** A world in which this script can run: the current one, or a new one in its place. */
export async function groundFor(
  { isPatient = false }: Script,
  ground: Ground | undefined,
  open: typeof openGround,
): Promise<Ground> {
  if (ground?.isPatient === isPatient) return ground;
  await ground?.world.dispose();
  return open(isPatient);
}

/** After a disagreement: the same world if it is idle and reconciled; otherwise none, and it is disposed. */
export async function cleanSheet({ world, ledger, isPatient }: Ground): Promise<Ground | undefined> {
  try {
    const script = { seed: 0, tlds: [], steps: [] };
    const play = { world, ledger, script, pending: [] };
    await settle(play);
    await quieten(play);
    const clean = await newLedger(world, ledger.chain);
    await runOracle({ world, ledger: clean, script, pending: [] }, { reconciliationWaitMs: 0 });
    return { world, ledger: clean, isPatient };
  } catch (error) {
    await world.dispose();
    if (error instanceof Disagreement) return undefined;
    throw error;
  }
}
