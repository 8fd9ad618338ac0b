import type { AppContext } from '../../core/app-context.ts';
import type { ListedPrice, OfferedTld, Reply } from '../../core/ports/registry.ts';
import type { Trial, TrialFailure, UpstreamLogin, UpstreamTrial } from '../../core/ports/upstream-accounts.ts';
import { normaliseTld } from '../../core/pricing/price.ts';
import type { Dialect } from './dialect.ts';
import { refusalReason } from './refusal-reason.ts';
import { openTrialClient, type TrialClient, type TrialOptions } from './trial-client.ts';

/** A service that ignores the cursor would send the same page for ever. */
const mostPages = 1_000;

/** Tests an account before its connection is stored. Nothing is stored, and only queries are sent. */
export async function openTrial(
  ctx: Pick<AppContext, 'wall'>,
  login: UpstreamLogin,
  options: Pick<TrialOptions, 'limitMs'> = {},
): Promise<UpstreamTrial> {
  const { client, dialect, close } = await openTrialClient(ctx, login, options);
  return {
    run: ({ countsDomains = true } = {}) => runTrial(client, dialect, login.clientId, countsDomains),
    prices: (tlds) => readPrices(client, dialect, tlds),
    close,
  };
}

async function runTrial(
  client: TrialClient,
  dialect: Dialect,
  clientId: string,
  countsDomains: boolean,
): Promise<Trial> {
  const balance = await dialect.balance(client.send, clientId);
  if (balance.kind !== 'done') return failed(client, balance, 'balance');
  const offered = dialect.offeredTlds ? await dialect.offeredTlds(client.send) : null;
  if (offered && offered.kind !== 'done') return failed(client, offered, 'answer');
  const domains = dialect.list && countsDomains ? await countDomains(client, dialect.list) : null;
  if (domains && 'kind' in domains) return failed(client, domains, 'answer');
  return {
    ok: true,
    balance: amountOf(balance.data),
    domains: domains?.count ?? null,
    isCountComplete: domains?.isComplete ?? true,
    offered: offered && usableTlds(offered.data),
  };
}

type Failure = Exclude<Reply<unknown>, { kind: 'done' }>;

/** A balance that was answered and is still refused by the dialect is in another currency. */
function failed(client: TrialClient, reply: Failure, query: 'balance' | 'answer'): TrialFailure {
  const problem = query === 'balance' && client.isAnswered ? 'currency' : client.problem;
  return { ok: false, problem, why: client.plain(client.message ?? refusalReason(reply)) };
}

/** Anything that is not an amount counts as not reported. */
const amountOf = (text: string | undefined): string | null =>
  text !== undefined && /^-?\d{1,15}(\.\d{1,6})?$/.test(text) ? text : null;

const mostTlds = 10_000;

/** In the form of the catalogue, without repetitions, and without entries that are no TLD. */
function usableTlds(offered: readonly OfferedTld[]): OfferedTld[] {
  const found = new Map<string, OfferedTld>();
  for (const each of offered.slice(0, mostTlds)) {
    const tld = tldOf(each.tld);
    if (tld !== undefined && !found.has(tld)) found.set(tld, { ...each, tld });
  }
  return [...found.values()];
}

function tldOf(text: string): string | undefined {
  try {
    return normaliseTld(text);
  } catch {
    return undefined;
  }
}

/** Null: the service has no price list. */
async function readPrices(
  client: TrialClient,
  dialect: Dialect,
  tlds: readonly string[],
): Promise<readonly ListedPrice[] | TrialFailure | null> {
  const reply = (await dialect.priceList?.(client.send, tlds)) ?? null;
  if (reply === null) return null;
  if (reply.kind === 'done') return reply.data.filter((row) => tlds.includes(row.tld) && isReadable(row));
  const { problem, why } = failed(client, reply, 'answer');
  return { ok: false, problem, why: `the price list was not read: ${why}` };
}

/** A row that is not a price is left out, so that it is imported for no TLD. */
const isReadable = ({ years, fee }: ListedPrice): boolean =>
  Number.isInteger(years) &&
  years >= 1 &&
  years <= 10 &&
  /^\d{1,12}(\.\d{1,6})?$/.test(fee.amount) &&
  /^[A-Z]{3}$/.test(fee.currency);

async function countDomains(
  client: TrialClient,
  list: NonNullable<Dialect['list']>,
): Promise<{ readonly count: number; readonly isComplete: boolean } | Failure> {
  let count = 0;
  let cursor: string | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await list(client.send, cursor);
    // The first page shows that the list can be read; the number is not needed for the setup.
    if (reply.kind !== 'done' && page > 1 && client.isTimeOver) return { count, isComplete: false };
    if (reply.kind !== 'done') return reply;
    count += reply.data.rows.filter(({ isOurs }) => isOurs).length;
    cursor = reply.data.next;
    if (cursor === undefined) return { count, isComplete: true };
  }
  return { kind: 'unsent', why: `the list of domains has more than ${mostPages} pages` };
}
