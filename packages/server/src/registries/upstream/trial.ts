import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../../core/app-context.ts';
import type { Reply } from '../../core/ports/registry.ts';
import type { Trial, TrialProblem, UpstreamLogin, UpstreamTrial } from '../../core/registries/upstream-service.ts';
import type { Dialect, UpstreamClient } from './dialect.ts';
import { dialectOf } from './dialects/index.ts';
import type { UpstreamProfile } from './profile.ts';
import { readAnswer } from './read-answer.ts';
import { refusalReason } from './refusal-reason.ts';
import { type Call, type Exchange, openWire, type Wire } from './wire.ts';

/** Requests that are sent without a wait between them. */
const burst = 20;
/** A service that ignores the cursor would send the same page for ever. */
const mostPages = 1_000;

/** Tests an account before its connection is stored. Nothing is stored, and only queries are sent. */
export async function openTrial(ctx: Pick<AppContext, 'wall'>, login: UpstreamLogin): Promise<UpstreamTrial> {
  const profile = login.profile as UpstreamProfile;
  const dialect = dialectOf(profile, ctx.wall);
  await dialect.load?.();
  const endpoint = {
    host: login.host,
    port: login.port,
    ...(login.caPem ? { ca: login.caPem } : {}),
    ...(login.pins && login.pins.length > 0 ? { pins: login.pins } : {}),
    ...(login.sourceAddress ? { localAddress: login.sourceAddress } : {}),
    login: { user: login.clientId, secret: login.secret },
  };
  const wire = openWire({ ...endpoint, sign: dialect.sign, read: dialect.read }, profile);
  const client = new TrialClient(wire, dialect, profile);
  return {
    run: () => runTrial(client, dialect, login.clientId),
    prices: async (tlds) => dialect.priceList?.(client.send, tlds) ?? null,
    close: () => wire.close(),
  };
}

/** Sends one query after the other, at the rate of the profile. Remembers why the last one failed. */
class TrialClient {
  readonly #wire: Wire;
  readonly #dialect: Dialect;
  readonly #profile: UpstreamProfile;
  #token: string | undefined;
  #sent = 0;
  problem: TrialProblem = 'answer';
  isAnswered = false;
  /** The service's own message about the last refusal. */
  message: string | undefined;

  constructor(wire: Wire, dialect: Dialect, profile: UpstreamProfile) {
    this.#wire = wire;
    this.#dialect = dialect;
    this.#profile = profile;
  }

  readonly send: UpstreamClient = async (call) => {
    const exchange = await this.#exchange(call);
    const answer = readAnswer(this.#dialect, call, exchange);
    this.problem = this.#problemOf(exchange);
    this.message = answer.refusal?.message;
    this.isAnswered = answer.reply.kind === 'done';
    return answer;
  };

  #problemOf(exchange: Exchange): TrialProblem {
    if (exchange.kind !== 'answered') return 'network';
    const meaning = this.#dialect.classify(exchange, false);
    return (meaning.kind === 'unsent' && meaning.pause?.because) || 'answer';
  }

  async #exchange(call: Call): Promise<Exchange> {
    const { session } = this.#dialect;
    if (session && this.#token === undefined) {
      const exchange = await this.#request(session.call);
      this.#token = exchange.kind === 'answered' ? session.read(exchange.body) : undefined;
      if (this.#token === undefined) return exchange;
    }
    return this.#request(call);
  }

  async #request(call: Call): Promise<Exchange> {
    const { limits, timeouts } = this.#profile;
    this.#sent += 1;
    if (this.#sent > burst) await sleep(60_000 / limits.requestsPerMinute);
    return this.#wire.send(call, { timeoutMs: timeouts.queryMs, token: this.#token });
  }
}

async function runTrial(client: TrialClient, dialect: Dialect, clientId: string): Promise<Trial> {
  const balance = await dialect.balance(client.send, clientId);
  if (balance.kind !== 'done') return failed(client, balance, 'balance');
  const domains = dialect.list ? await countDomains(client, dialect.list) : null;
  if (domains && 'kind' in domains) return failed(client, domains, 'answer');
  const offered = dialect.offeredTlds ? await dialect.offeredTlds(client.send) : null;
  if (offered && offered.kind !== 'done') return failed(client, offered, 'answer');
  return {
    ok: true,
    balance: balance.data ?? null,
    domains: domains?.count ?? null,
    offered: offered?.data ?? null,
  };
}

type Failure = Exclude<Reply<unknown>, { kind: 'done' }>;

/** A balance that was answered and is still refused by the dialect is in another currency. */
function failed(client: TrialClient, reply: Failure, query: 'balance' | 'answer'): Trial {
  const problem = query === 'balance' && client.isAnswered ? 'currency' : client.problem;
  return { ok: false, problem, why: client.message ?? refusalReason(reply) };
}

async function countDomains(
  { send }: TrialClient,
  list: NonNullable<Dialect['list']>,
): Promise<{ readonly count: number } | Failure> {
  let count = 0;
  let cursor: string | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await list(send, cursor);
    if (reply.kind !== 'done') return reply;
    count += reply.data.rows.filter(({ isOurs }) => isOurs).length;
    cursor = reply.data.next;
    if (cursor === undefined) return { count };
  }
  return { kind: 'unsent', why: `the list of domains has more than ${mostPages} pages` };
}
