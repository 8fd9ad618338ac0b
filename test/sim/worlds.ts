import { type Installation, type InstallationOptions, openInstallation } from '../faults/world.ts';
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

/** An installation with the oracle's prices, a chain of resellers, and a record of all requests. */
export interface Ground {
  readonly installation: Installation;
  readonly ledger: Ledger;
  readonly isPatient: boolean;
}

/** A lease is renewed after a quarter of its length, and that flushes all earlier commits: a longer lease delays it. */
const longTimeouts: InstallationOptions = { replyTimeoutMs: 12_000, leaseMs: 6_000 };

export async function openGround(isPatient = false, options: InstallationOptions = {}): Promise<Ground> {
  const env = { NAMEHOLD_VERIFY_REGISTRANTS: 'hold', ...options.env };
  const installation = await openInstallation({ services: 2, ...(isPatient ? longTimeouts : {}), ...options, env });
  try {
    const chain = await openChain(installation);
    await confirmShared(installation, chain);
    for (const tld of Object.keys(priceTable)) await checkLead(installation, tld);
    return { installation, ledger: await newLedger(installation, chain), isPatient };
  } catch (error) {
    await installation.dispose();
    throw error;
  }
}

/** docs/guide/auto-renew.md: "usually 15"; the oracle uses the published value. */
async function checkLead(installation: Installation, tld: string): Promise<void> {
  const { body } = await installation.call('GET', `/v1/tlds/${tld}`);
  if (body?.rules?.renewal_lead_days !== leadDaysOf(`any.${tld}`))
    throw new Error(`renewals of ${tld} are tried from ${body?.rules?.renewal_lead_days} days before the end`);
}

async function newLedger(installation: Installation, chain: readonly Trader[]): Promise<Ledger> {
  const balances = await Promise.all(chain.map((trader) => readBalance(installation, trader)));
  const statement = new StatementReader();
  await statement.read(installation);
  return {
    chain,
    opening: balances.map(({ available }) => available),
    statement,
    otherRegistrarStatement: new StatementReader('rival'),
    asked: new Set(),
    openingGap: (await readPayable(installation)) - statement.owedCents,
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

/** An installation in which this script can run: the current one, or a new one in its place. */
export async function groundFor(
  { isPatient = false }: Script,
  ground: Ground | undefined,
  open: typeof openGround,
): Promise<Ground> {
  if (ground?.isPatient === isPatient) return ground;
  await ground?.installation.dispose();
  return open(isPatient);
}

/** After a disagreement: the same installation if it is idle and reconciled; otherwise none, and it is disposed. */
export async function cleanSheet({ installation, ledger, isPatient }: Ground): Promise<Ground | undefined> {
  try {
    const script = { seed: 0, tlds: [], steps: [] };
    const play = { installation, ledger, script, pending: [] };
    await settle(play);
    await quieten(play);
    const clean = await newLedger(installation, ledger.chain);
    await runOracle({ installation, ledger: clean, script, pending: [] }, { reconciliationWaitMs: 0 });
    return { installation, ledger: clean, isPatient };
  } catch (error) {
    await installation.dispose();
    if (error instanceof Disagreement) return undefined;
    throw error;
  }
}
