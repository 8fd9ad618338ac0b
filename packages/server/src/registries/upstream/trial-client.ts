import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../../core/app-context.ts';
import type { TrialProblem, UpstreamLogin } from '../../core/ports/upstream-accounts.ts';
import type { Dialect, UpstreamClient } from './dialect.ts';
import { dialectOf } from './dialects/index.ts';
import type { UpstreamProfile } from './profile.ts';
import { readAnswer } from './read-answer.ts';
import { type Call, type Exchange, openWire, type Wire } from './wire.ts';

/** Requests that are sent without a wait between them. */
const burst = 20;
/** Characters of a message of the service that are shown. */
const messageLength = 300;

export interface TrialOptions {
  /** The time for all queries together; without it there is no limit. */
  readonly limitMs?: number;
  /** Called with each answer, as it was read. */
  readonly onAnswer?: (call: Call, body: unknown) => void;
}

/** A client for queries of an account outside of its stored connection: no journal, no leases, no alarms. */
export async function openTrialClient(
  ctx: Pick<AppContext, 'wall'>,
  login: UpstreamLogin,
  { limitMs = Number.POSITIVE_INFINITY, onAnswer }: TrialOptions = {},
): Promise<{ readonly client: TrialClient; readonly dialect: Dialect; close(): void }> {
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
  const endsAt = performance.now() + limitMs;
  const client = new TrialClient({ wire, dialect, profile, endsAt, secret: login.secret, onAnswer });
  return { client, dialect, close: () => wire.close() };
}

interface TrialParts {
  readonly wire: Wire;
  readonly dialect: Dialect;
  readonly profile: UpstreamProfile;
  readonly endsAt: number;
  readonly secret: string;
  readonly onAnswer: TrialOptions['onAnswer'];
}

/** Sends one query after the other, at the rate of the profile. Remembers why the last one failed. */
export class TrialClient {
  readonly #parts: TrialParts;
  #token: string | undefined;
  #sent = 0;
  problem: TrialProblem = 'answer';
  isAnswered = false;
  /** The service's own message about the last refusal. */
  message: string | undefined;

  constructor(parts: TrialParts) {
    this.#parts = parts;
  }

  get isTimeOver(): boolean {
    return performance.now() >= this.#parts.endsAt;
  }

  readonly send: UpstreamClient = async (call) => {
    const exchange = await this.#exchange(call);
    if (exchange.kind === 'answered') this.#parts.onAnswer?.(call, exchange.body);
    const answer = readAnswer(this.#parts.dialect, call, exchange);
    this.problem = this.#problemOf(exchange);
    this.message = answer.refusal?.message;
    this.isAnswered = answer.reply.kind === 'done';
    return answer;
  };

  #problemOf(exchange: Exchange): TrialProblem {
    if (exchange.kind !== 'answered') return this.isTimeOver ? 'slow' : 'network';
    const meaning = this.#parts.dialect.classify(exchange, false);
    return (meaning.kind === 'unsent' && meaning.pause?.because) || 'answer';
  }

  async #exchange(call: Call): Promise<Exchange> {
    const { session } = this.#parts.dialect;
    if (session && this.#token === undefined) {
      const exchange = await this.#request(session.call);
      this.#token = exchange.kind === 'answered' ? session.read(exchange.body) : undefined;
      if (this.#token === undefined) return exchange;
    }
    return this.#request(call);
  }

  async #request(call: Call): Promise<Exchange> {
    const { wire, profile } = this.#parts;
    const { limits, timeouts } = profile;
    this.#sent += 1;
    if (this.#sent > burst) await sleep(Math.max(0, Math.min(60_000 / limits.requestsPerMinute, this.#leftMs())));
    if (this.isTimeOver) return { kind: 'unsent', why: 'the time for the test is over' };
    // Rounded up, so that the time is over when the request ends for this reason.
    const timeoutMs = Math.min(timeouts.queryMs, Math.ceil(this.#leftMs()) + 1);
    return wire.send(call, { timeoutMs, token: this.#token });
  }

  #leftMs(): number {
    return this.#parts.endsAt - performance.now();
  }

  /** The text of a service is not trusted: it may repeat the secret, contain control characters, or be a whole page. */
  plain(text: string): string {
    const { secret } = this.#parts;
    const forms = [secret, encodeURIComponent(secret), this.#token ?? ''].filter((form) => form !== '');
    const hidden = forms.reduce((rest, form) => rest.replaceAll(form, '***'), text);
    const plain = hidden.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
    return plain.length > messageLength ? `${plain.slice(0, messageLength).toWellFormed()}…` : plain;
  }
}
