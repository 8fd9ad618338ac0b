import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../core/app-context.ts';
import {
  deleteUpstreamAnswers,
  keepUpstreamAnswer,
  purgeUpstreamRequests,
  takeUpstreamRequest,
} from '../../core/registries/upstream-request.sql.ts';
import type { UpstreamProfile } from './profile.ts';
import type { Answered, Call, Exchange } from './wire.ts';

/** Interval at which a process looks for the answer that another one awaits. */
const pollMs = 100;
const purgeEveryMs = 60_000;
/** Longer than the period of every limit. */
const keptMs = 3_600_000;
/** A part of the allowed requests can be sent at once; the rest is spread over the period. */
const burstShare = 4;

type Limits = NonNullable<UpstreamProfile['limits']['identical']>;

/** So many at once and so many a second are never more than the limit within its period. */
function paceOf({ requests, seconds }: Limits['query']): { readonly burst: number; readonly perSecond: number } {
  const burst = Math.max(1, Math.floor(requests / burstShare));
  return { burst, perSecond: requests === 1 ? 1 / seconds : (requests - burst) / seconds };
}

interface Parts {
  readonly id: string;
  readonly ctx: AppContext;
  readonly profile: UpstreamProfile;
  /** The format of the answers. */
  readonly read: (text: string) => unknown;
}

/** The part of an answer that is stored; its body is read again. */
type Stored = Pick<Answered, 'status' | 'text'> & { readonly retryAfter: number | null };

/**
 * For upstreams that block an account after identical requests. Identical queries of all processes are sent once within a few seconds,
 * and no request is sent more often than the profile allows. A change of a domain ends the use of earlier answers about it.
 */
export class IdenticalRequests {
  readonly #parts: Parts;
  readonly #underway = new Map<string, { readonly names: readonly string[]; readonly answer: Promise<Exchange> }>();
  #purgedAt = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends the query, or returns the answer to an identical one. `isUsable`: an answer that others may get too. */
  query(call: Call, send: () => Promise<Exchange>, isUsable: (answer: Answered) => boolean): Promise<Exchange> {
    const { identical } = this.#parts.profile.limits;
    const { repeats } = call;
    if (!identical || !repeats) return send();
    const request = this.#fingerprint(call);
    const underway = this.#underway.get(request);
    if (underway && identical.shareSeconds > 0) return underway.answer;
    const answer = this.#once(request, repeats, send, isUsable).finally(() => {
      if (this.#underway.get(request)?.answer === answer) this.#underway.delete(request);
    });
    this.#underway.set(request, { names: repeats.names, answer });
    return answer;
  }

  /** Why an order may not be sent now. */
  async refusesOrder({ repeats }: Call): Promise<string | undefined> {
    const limit = repeats && this.#parts.profile.limits.identical?.[repeats.limit];
    if (!limit) return undefined;
    const taken = await takeUpstreamRequest(this.#db(), {
      registryId: this.#parts.id,
      request: this.#parts.ctx.vault.fingerprint(`${repeats.limit} ${repeats.key ?? repeats.names.join()}`),
      names: repeats.names,
      caller: '',
      ...paceOf(limit),
      freshMs: 0,
      askMs: 0,
    });
    return taken.decision === 'ask' ? undefined : tooOften(taken.wait_ms);
  }

  /** Answers from before a change of the domain are not used after it. */
  async changed(name: string): Promise<void> {
    if (!this.#parts.profile.limits.identical) return;
    for (const [request, { names }] of this.#underway) if (names.includes(name)) this.#underway.delete(request);
    try {
      await deleteUpstreamAnswers(this.#db(), this.#parts.id, name);
    } catch (error) {
      // Their age is limited anyway.
      this.#parts.ctx.log.error(
        { err: error, registry_id: this.#parts.id },
        'shared answers of an upstream not removed',
      );
    }
  }

  #db() {
    return this.#parts.ctx.db.autocommit(allTenants);
  }

  #fingerprint({ repeats, ...call }: Call): string {
    return this.#parts.ctx.vault.fingerprint(JSON.stringify(call));
  }

  async #once(
    request: string,
    repeats: NonNullable<Call['repeats']>,
    send: () => Promise<Exchange>,
    isUsable: (answer: Answered) => boolean,
  ): Promise<Exchange> {
    const { id, profile, ctx } = this.#parts;
    const identical = profile.limits.identical!;
    const { queryMs } = profile.timeouts;
    const taken = {
      registryId: id,
      request,
      names: repeats.names,
      caller: ctx.ids.next('ask'),
      ...paceOf(identical[repeats.limit]),
      freshMs: identical.shareSeconds * 1_000,
      askMs: identical.shareSeconds > 0 ? queryMs : 0,
    };
    const giveUpAt = performance.now() + queryMs;
    for (;;) {
      const { decision, answer, wait_ms: waitMs } = await takeUpstreamRequest(this.#db(), taken);
      if (decision === 'ask') return this.#ask(taken, send, isUsable);
      if (decision === 'answer') {
        const stored = this.#open(request, answer!);
        if (stored) return stored;
        await keepUpstreamAnswer(this.#db(), taken, null);
      }
      if (decision === 'limited') return { kind: 'unsent', why: tooOften(waitMs) };
      if (performance.now() > giveUpAt)
        return { kind: 'unsent', why: 'the answer to an identical query did not arrive' };
      await sleep(pollMs);
    }
  }

  async #ask(
    taken: { readonly registryId: string; readonly request: string; readonly caller: string },
    send: () => Promise<Exchange>,
    isUsable: (answer: Answered) => boolean,
  ): Promise<Exchange> {
    let encrypted: string | null = null;
    try {
      const exchange = await send();
      if (exchange.kind === 'answered' && isUsable(exchange)) encrypted = this.#encrypt(taken.request, exchange);
      return exchange;
    } finally {
      await keepUpstreamAnswer(this.#db(), taken, encrypted);
      await this.#purge();
    }
  }

  #context(request: string): string {
    return `upstream_request:${this.#parts.id}:${request}`;
  }

  #encrypt(request: string, { status, text, retryAfter }: Answered): string {
    const stored: Stored = { status, text, retryAfter: retryAfter ?? null };
    return this.#parts.ctx.vault.encryptCompressed(JSON.stringify(stored), this.#context(request));
  }

  /** Undefined: encrypted with a key that is no longer there. */
  #open(request: string, encrypted: string): Answered | undefined {
    try {
      const { status, text, retryAfter } = JSON.parse(
        this.#parts.ctx.vault.open(encrypted, this.#context(request)),
      ) as Stored;
      return { kind: 'answered', status, text, retryAfter: retryAfter ?? undefined, body: this.#parts.read(text) };
    } catch {
      return undefined;
    }
  }

  async #purge(): Promise<void> {
    if (performance.now() - this.#purgedAt < purgeEveryMs) return;
    this.#purgedAt = performance.now();
    await purgeUpstreamRequests(this.#db(), this.#parts.id, keptMs);
  }
}

const tooOften = (waitMs: number): string =>
  `the same request was sent too often; it may be sent again in ${Math.ceil(waitMs / 1_000)} seconds`;
