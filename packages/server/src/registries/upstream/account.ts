import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from '@namehold/epp';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../core/app-context.ts';
import { firstOfItsKind } from '../../core/operations/journal.sql.ts';
import type { CommandContext, Evidence, Reply } from '../../core/ports/registry.ts';
import type { Breaker } from '../breaker.ts';
import type { LoginAlarm } from '../login-alarm.ts';
import type { RegistryMetrics } from '../metrics.ts';
import type { Dialect, Outcome, UpstreamAnswer } from './dialect.ts';
import { IdenticalRequests } from './identical-requests.ts';
import type { Pauses } from './pauses.ts';
import type { UpstreamProfile } from './profile.ts';
import { readAnswer } from './read-answer.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { UpstreamSession } from './session.ts';
import { objectNotFound } from './upstream.ts';
import { type Call, type Exchange, parseJson, type Wire } from './wire.ts';

/** Interval of queries for an operation that continues at the upstream. */
const followMs = 1_000;
/** Verb of queries in metrics. */
const query = 'ask';

interface AccountParts {
  readonly id: string;
  readonly ctx: AppContext;
  readonly profile: UpstreamProfile;
  readonly dialect: Dialect;
  readonly wire: Wire;
  readonly limiter: RequestLimiter;
  readonly pauses: Pauses;
  readonly journal: Journal<CommandContext>;
  readonly breaker: Breaker;
  readonly metrics: RegistryMetrics;
  readonly loginAlarm: LoginAlarm;
}

/** One order at the upstream: its requests in sequence, under one row of the journal. */
interface Command<T> {
  readonly object: 'domain' | 'contact' | 'host';
  readonly verb: 'create' | 'renew' | 'transfer' | 'update' | 'delete';
  readonly name: string;
  readonly calls: readonly Call[];
  /** Reads the result from the body of the last answer. */
  read(body: unknown): T | Promise<T>;
  /** Additional fields of a successful reply. */
  evidence?(body: unknown): Promise<Evidence>;
  /** For operations at the upstream that can only fail. */
  checkAccepted?(accepted: unknown): Promise<(Evidence & { readonly code: number }) | undefined>;
  /**
   * If the answer does not show whether the order was completed or only accepted (the contract has one form for both): whether it
   * continues there. Undefined: unknown at present.
   */
  isOpen?(): Promise<boolean | undefined>;
  /** Core has no state for an order of this kind that continues there, so its outcome counts as unknown until the domain shows it. */
  readonly isUnknownWhileOpen?: boolean;
  /** Without an idempotency key: whether an earlier copy of the request may be the cause of this refusal. */
  isCarriedOut?(): Promise<boolean>;
}

/** Our account at an upstream; every request is sent through it. */
export class UpstreamAccount {
  readonly #parts: AccountParts;
  readonly #identical: IdenticalRequests;
  readonly #session: UpstreamSession | undefined;

  constructor(parts: AccountParts) {
    const { id, ctx, profile, dialect } = parts;
    this.#parts = parts;
    this.#identical = new IdenticalRequests({ id, ctx, profile, read: dialect.read ?? parseJson });
    const { session: rules } = dialect;
    this.#session = rules && new UpstreamSession({ id, ctx, rules, loginMs: profile.timeouts.queryMs });
  }

  get #dialect(): Dialect {
    return this.#parts.dialect;
  }

  /** A query changes nothing, so a lost one is sent once more. */
  async inquire(call: Call): Promise<UpstreamAnswer> {
    const exchange = await this.#identical.query(
      call,
      () => this.#sendQuery(call),
      (answer) => ['done', 'refused'].includes(this.#dialect.classify(answer, false).kind),
    );
    const answer = readAnswer(this.#dialect, call, exchange);
    const { reply, refusal } = answer;
    // Many queries are about objects that may be missing.
    if (reply.kind === 'refused' && reply.evidence.code !== objectNotFound)
      this.#noteRefusal('upstream refused a query', { path: call.path, code: reply.evidence.code }, refusal);
    return answer;
  }

  async #sendQuery(call: Call): Promise<Exchange> {
    const { queryMs } = this.#parts.profile.timeouts;
    const exchange = await this.#send(call, query, { timeoutMs: queryMs });
    const isRepeated = exchange.kind === 'lost' && exchange.why === 'socket-died';
    return isRepeated ? this.#send(call, query, { timeoutMs: queryMs }) : exchange;
  }

  async command<T>(command: Command<T>, context: CommandContext): Promise<Reply<T>> {
    const stopped = await this.#stopped();
    if (stopped) return { kind: 'unsent', why: stopped };
    const { journal, ctx, id } = this.#parts;
    const clTRID = ctx.ids.next('nh').slice(0, 48);
    const frame = JSON.stringify(command.calls);
    const { object, verb, name } = command;
    await journal.prepared({ clTRID, registry: id, object, verb, targets: [name], transform: true, frame, context });
    const carried = await this.#carryOut(command, await this.#keyFor(clTRID, frame, context), clTRID);
    await this.#identical.changed(name);
    const meaning = carried.kind === 'accepted' ? await this.#follow(carried) : carried;
    return this.#settle(command, clTRID, await this.#resolved(command, meaning));
  }

  /**
   * A repeated request has the same idempotency key, so that the upstream executes it once. After an answer the key is used up: a new
   * attempt after a refusal is a new order.
   */
  async #keyFor(clTRID: string, frame: string, context: CommandContext): Promise<string | undefined> {
    if (!this.#dialect.idempotency) return undefined;
    const { operationId, step } = context;
    if (operationId === undefined || step === undefined) return clTRID;
    const sha256 = createHash('sha256').update(frame).digest('hex');
    const db = this.#parts.ctx.db.as(allTenants);
    return (await firstOfItsKind(db, operationId, step, sha256)) ?? clTRID;
  }

  async #carryOut<T>(command: Command<T>, key: string | undefined, clTRID: string): Promise<Outcome> {
    const { transformMs } = this.#parts.profile.timeouts;
    const wait = Math.max(1, Math.min(55, Math.floor(transformMs / 2_000)));
    let meaning: Outcome = { kind: 'done', body: {} };
    for (const [place, call] of command.calls.entries()) {
      const { idempotency } = this.#dialect;
      const own = place === 0 ? key : `${key}-${place}`;
      const headers = idempotency && own !== undefined ? idempotency.headers(own, wait) : {};
      const onSent = () => void (place === 0 && this.#parts.journal.sent?.(clTRID));
      const verb = `${command.object}-${command.verb}`;
      const repeated = await this.#identical.refusesOrder(call);
      const exchange: Exchange =
        repeated === undefined
          ? await this.#send(call, verb, { timeoutMs: transformMs, headers, onSent })
          : { kind: 'unsent', why: repeated };
      if (exchange.kind === 'lost') return { kind: 'unknown', text: `${exchange.why}: ${exchange.text}` };
      meaning =
        exchange.kind === 'unsent'
          ? { kind: 'unsent', text: exchange.why }
          : this.#dialect.classify(exchange, true, call);
      if (meaning.kind === 'done') continue;
      if (meaning.kind === 'accepted') meaning = await this.#executeSaved(meaning, verb);
      const isLast = place === command.calls.length - 1;
      if (meaning.kind === 'accepted' && !isLast) meaning = await this.#follow(meaning);
      if (meaning.kind === 'done') continue;
      if (meaning.kind === 'accepted' && !isLast)
        return { kind: 'unknown', text: 'a part of the order continues there' };
      // Earlier requests of the order are done, so the order is neither done nor refused.
      return place > 0 && meaning.kind === 'unsent' ? { kind: 'unknown', text: meaning.text } : meaning;
    }
    return meaning;
  }

  /** An order that the upstream only saved is executed, or cancelled if it refuses that. */
  async #executeSaved(accepted: Extract<Outcome, { kind: 'accepted' }>, verb: string): Promise<Outcome> {
    const saved = this.#dialect.saved?.(accepted.body);
    if (!saved) return accepted;
    const { transformMs: timeoutMs } = this.#parts.profile.timeouts;
    const send = async (call: Call): Promise<Outcome> => {
      const exchange = await this.#send(call, verb, { timeoutMs });
      if (exchange.kind === 'answered') return this.#dialect.classify(exchange, true);
      return { kind: 'unknown', text: exchange.kind === 'lost' ? `${exchange.why}: ${exchange.text}` : exchange.why };
    };
    const executed = await send(saved.execute);
    if (executed.kind === 'unsent') return { kind: 'unknown', text: executed.text };
    if (executed.kind !== 'refused') return executed;
    const cancelled = await send(saved.cancel);
    return cancelled.kind === 'done'
      ? executed
      : { kind: 'unknown', text: 'the order is saved, and was not cancelled' };
  }

  async #resolved<T>(command: Command<T>, meaning: Outcome): Promise<Outcome> {
    const no = meaning.kind === 'accepted' ? await command.checkAccepted?.(meaning.body) : undefined;
    if (no) return { kind: 'refused', evidence: no };
    if (meaning.kind === 'accepted' && command.isUnknownWhileOpen)
      return { kind: 'unknown', text: 'the order continues at the upstream' };
    const { idempotency } = this.#dialect;
    if (meaning.kind === 'done' && !idempotency && command.isOpen) {
      const isOpen = await command.isOpen();
      if (isOpen === undefined) return { kind: 'unknown', text: 'it was accepted, and its state cannot be read now' };
      return isOpen ? { kind: 'accepted', operationId: undefined, body: meaning.body } : meaning;
    }
    const isDoubtful = meaning.kind === 'refused' && !idempotency && ((await command.isCarriedOut?.()) ?? false);
    return isDoubtful ? { kind: 'unknown', text: `${meaning.evidence.text}, but it is shown as done` } : meaning;
  }

  /** The operation continues at the upstream. It is queried for as long as an answer would be awaited. */
  async #follow(accepted: Extract<Outcome, { kind: 'accepted' }>): Promise<Outcome> {
    const { operationId, body } = accepted;
    const followed = operationId === undefined ? undefined : this.#dialect.follow?.(operationId);
    if (!followed) return accepted;
    const until = performance.now() + this.#parts.profile.timeouts.transformMs;
    for (;;) {
      const { reply } = await this.inquire(followed.call);
      const ended = reply.kind === 'done' ? followed.read(reply.data, body) : undefined;
      if (ended) return ended;
      if (performance.now() > until) return { kind: 'unknown', text: 'the upstream has not settled it yet' };
      await sleep(followMs);
    }
  }

  async #settle<T>(command: Command<T>, clTRID: string, meaning: Outcome): Promise<Reply<T>> {
    const { journal } = this.#parts;
    const { name } = command;
    const answered = (code: number, frame: string) => journal.answered?.(clTRID, { code, svTRID: '', frame });
    switch (meaning.kind) {
      case 'unsent':
        await journal.unsent?.(clTRID, meaning.text);
        return { kind: 'unsent', why: meaning.text };
      case 'unknown':
        await journal.unknown?.(clTRID, meaning.isUnreadable ? 'unreadable-answer' : 'timeout', meaning.text);
        return {
          kind: 'unknown',
          why: meaning.text,
          evidence: { clTRID, text: meaning.text },
          ...(meaning.isUnreadable ? { isUnreadable: true } : {}),
        };
      case 'refused':
        await answered(
          meaning.evidence.code,
          JSON.stringify({ ...meaning.evidence, message: meaning.refusal?.message }),
        );
        this.#noteRefusal('upstream refused a command', { name, code: meaning.evidence.code }, meaning.refusal);
        return { kind: 'refused', evidence: { ...meaning.evidence, clTRID } };
      default: {
        const pending = meaning.kind === 'accepted';
        await answered(pending ? 1001 : 1000, JSON.stringify(meaning.body));
        const more = pending ? {} : ((await command.evidence?.(meaning.body)) ?? {});
        const data = await command.read(meaning.body);
        return { kind: 'done', data, pending, evidence: { code: pending ? 1001 : 1000, clTRID, ...more } };
      }
    }
  }

  /** Callers get our messages; those of the upstream are shown to the operator. */
  #noteRefusal(event: string, facts: object, refusal: UpstreamAnswer['refusal']): void {
    const { ctx, id } = this.#parts;
    ctx.log.warn({ registry_id: id, ...facts, answer: refusal?.message, fix: refusal?.fix }, event);
  }

  async #stopped(): Promise<string | undefined> {
    const { breaker, pauses, id } = this.#parts;
    return breaker.isOpen ? `upstream ${id} is unreachable; retrying shortly` : pauses.why();
  }

  async #send(call: Call, verb: string, options: Parameters<Wire['send']>[1]): Promise<Exchange> {
    const stopped = await this.#stopped();
    if (stopped) return { kind: 'unsent', why: stopped };
    const { limiter, pauses, breaker, metrics, id } = this.#parts;
    const exchange = await limiter.take(async (): Promise<Exchange> => {
      const allowed = await pauses.allowCall();
      if ('why' in allowed) return { kind: 'unsent', why: allowed.why };
      const started = performance.now();
      const sent = await this.#exchange(call, options);
      metrics.observe(
        id,
        verb,
        sent.kind === 'answered' ? sent.status : sent.kind,
        (performance.now() - started) / 1_000,
      );
      if (sent.kind === 'answered') breaker.answered({ kind: 'done' });
      else if (sent.kind === 'lost') breaker.answered({ kind: 'unknown', why: sent.why });
      else breaker.unsent('connect-failed');
      await this.#applyAnswer(sent, allowed.isTrial, verb);
      return sent;
    });
    return exchange ?? { kind: 'unsent', why: 'the rate limit of the account leaves no room for a request' };
  }

  /** With the token of our login, at an upstream with sessions. */
  async #exchange(call: Call, options: Parameters<Wire['send']>[1]): Promise<Exchange> {
    const { wire, dialect, profile } = this.#parts;
    const { session: rules } = dialect;
    if (!this.#session || !rules) return wire.send(call, options);
    return this.#session.send(
      (token) => wire.send(call, { ...options, token }),
      async () => {
        const exchange = await wire.send(rules.call, { timeoutMs: profile.timeouts.queryMs });
        if (exchange.kind !== 'answered' || rules.read(exchange.body) !== undefined) return exchange;
        // Only a refused login has an effect on later requests.
        const isRefused = dialect.classify(exchange, false).kind === 'unsent';
        return isRefused ? exchange : { kind: 'unsent', why: 'the login was answered without a token' };
      },
    );
  }

  /** Effects of an answer on later requests. A short database outage does not lose the answer. */
  async #applyAnswer(exchange: Exchange, isTrial: boolean, verb: string): Promise<void> {
    const { pauses, loginAlarm, ctx, id } = this.#parts;
    const meaning = exchange.kind === 'answered' ? this.#dialect.classify(exchange, verb !== query) : undefined;
    const unsent = meaning?.kind === 'unsent' ? meaning : undefined;
    try {
      if (unsent?.pause) {
        const { pause, text } = unsent;
        const delayMs = await pauses.begin(pause);
        if (delayMs !== undefined && pause.because === 'login') {
          loginAlarm.refused(text);
          loginAlarm.stopped(pause.status, delayMs);
        } else if (delayMs !== undefined) loginAlarm.limited(text, delayMs);
      } else if (!meaning || meaning.kind === 'unknown') {
        if (isTrial) await pauses.endTrial();
      } else if (isTrial) {
        await pauses.end();
        loginAlarm.resumed();
      } else loginAlarm.worked();
    } catch (error) {
      ctx.log.error({ err: error, registry_id: id }, 'upstream pause not stored');
    }
  }
}
