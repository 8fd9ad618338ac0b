import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppOptions } from './app.ts';
import { Authenticator, plainAddress } from './authenticate.ts';
import { sendMissingPage } from './error-pages.ts';
import { WireRefusal } from './errors.ts';
import { GuessThrottle } from './guess-throttle.ts';
import { LateKeys } from './idempotency/late-keys.ts';
import { BrandHosts } from './identity/brand-hosts.ts';
import { LastUses } from './identity/last-uses.ts';
import { Sessions } from './identity/sessions.ts';
import { TopAccounts } from './identity/top-accounts.ts';
import { LoadGate } from './load-gate.ts';
import { noSuchPath, shownPath } from './no-such-path.ts';
import { RateLimiter } from './rate-limit.ts';
import { RefusalCounter } from './refusal-counter.ts';
import type { Route } from './route.ts';
import { shownError } from './shown-error.ts';
import { admit } from './steps/admit.ts';
import { authenticateCaller } from './steps/authenticate-caller.ts';
import { authorise } from './steps/authorise.ts';
import { callRoute } from './steps/call-route.ts';
import { chargeCost } from './steps/charge-cost.ts';
import { checkAccount } from './steps/check-account.ts';
import { checkHead } from './steps/check-head.ts';
import { findBrandHost } from './steps/find-brand-host.ts';
import { findEarlierAnswer } from './steps/find-earlier-answer.ts';
import { limitConcurrency } from './steps/limit-concurrency.ts';
import { logAnswer } from './steps/log-answer.ts';
import { openBody } from './steps/open-body.ts';
import { readInput } from './steps/read-input.ts';
import { recheckCaller } from './steps/recheck-caller.ts';
import { refuseOtherSites } from './steps/refuse-other-sites.ts';
import { sendAnswer } from './steps/send-answer.ts';
import { sendRefusal } from './steps/send-refusal.ts';
import type { ErrorStep, Exchange, LastStep, Step, StepContext } from './steps/step.ts';
import { storeAnswer } from './steps/store-answer.ts';
import { storeRefusal } from './steps/store-refusal.ts';
import { takeAddressBudget, takeBudget } from './steps/take-budget.ts';
import { EventStreams } from './streams/event-streams.ts';

/** The middleware: the steps of every request to a route, in the order in which they run. See ARCHITECTURE.md, "Steps of a request". */
export const steps = {
  beforeBody: [
    admit,
    checkHead,
    findBrandHost,
    refuseOtherSites,
    authenticateCaller,
    limitConcurrency,
    checkAccount,
    takeBudget,
    authorise,
    openBody,
  ] as readonly Step[],
  afterBody: [
    recheckCaller,
    readInput,
    chargeCost,
    findEarlierAnswer,
    callRoute,
    storeAnswer,
    sendAnswer,
  ] as readonly Step[],
  /** Instead of the remaining steps. */
  afterError: [storeRefusal, sendRefusal] as readonly ErrorStep[],
  afterAnswer: [logAnswer] as readonly LastStep[],
};

/** Runs the steps. Fastify calls it before and after it reads the body, on errors, and after the answer. */
export class RequestPipeline {
  readonly #exchanges = new WeakMap<FastifyRequest, Exchange>();
  readonly #shared: StepContext;

  constructor(options: AppOptions, publicUrl: () => string) {
    this.#shared = createStepContext(options, publicUrl);
  }

  /** Before the body is read. */
  async runBeforeBody(definition: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const since = performance.now();
    const exchange: Exchange = { definition, request, reply, since, address: plainAddress(request.ip) };
    this.#exchanges.set(request, exchange);
    await run(steps.beforeBody, exchange, this.#shared);
  }

  /** The body as its parser reads it. A large body is charged as it arrives. */
  meter(request: FastifyRequest, body: IncomingMessage): IncomingMessage | Transform {
    return this.#shared.gate.meter(request, body);
  }

  async runAfterBody(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      await run(steps.afterBody, this.#exchanges.get(request)!, this.#shared);
      return reply;
    } catch (error) {
      return this.refuse(error, request, reply);
    }
  }

  async refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const exchange = this.#exchanges.get(request);
    const shown = shownError(request, exchange, error);
    await run(steps.afterError, { exchange, request, reply, error, shown }, this.#shared);
    return reply;
  }

  finish(request: FastifyRequest, reply: FastifyReply): void {
    for (const step of steps.afterAnswer) step({ request, reply }, this.#shared.options);
  }

  /** Runs before the body is read. The paths are public, so no credentials are needed. */
  async notFound(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.split('?')[0]!;
    // Browsers are redirected to the console or get a page; programs get JSON.
    if (request.method === 'GET' && !/^\/v1(\/|$)/.test(path) && /\btext\/html\b/.test(request.headers.accept ?? '')) {
      reply.header('Vary', 'Accept');
      return path === '/' ? reply.redirect('/app', 302) : sendMissingPage(reply);
    }
    const allowed = path.startsWith('/v1/') ? methodsOf(routes, path.slice(3)) : [];
    const refusal =
      allowed.length > 0
        ? new WireRefusal('method_not_allowed', `${shownPath(request)} does not support ${request.method}.`, {
            headers: { Allow: allowed.join(', ') },
          })
        : noSuchPath(request);
    return this.refuse(refusal, request, reply);
  }

  /** For pages without credentials. */
  async takeAddressBudget(request: FastifyRequest): Promise<void> {
    await takeAddressBudget(plainAddress(request.ip), this.#shared);
  }

  /** A wrong token counts against the address like a wrong key. */
  async recordFailedAttempt(request: FastifyRequest): Promise<void> {
    await this.#shared.guesses.recordFailedAttempt(plainAddress(request.ip), undefined);
  }

  evictKeys(): void {
    this.#shared.evictKeys();
  }

  flushCounts(): Promise<void> {
    return this.#shared.refusals.flush();
  }

  /** Ends streams before the shutdown waits for open responses. */
  endStreams(): void {
    this.#shared.streams.close();
  }

  async close(): Promise<void> {
    this.#shared.lateKeys.stop();
    await this.#shared.lastUses.stop();
    await this.#shared.refusals.stop();
  }
}

/** One after another. The first error ends the request. */
async function run<T>(
  listed: readonly ((subject: T, shared: StepContext) => void | Promise<void>)[],
  subject: T,
  shared: StepContext,
): Promise<void> {
  for (const step of listed) {
    const pending = step(subject, shared);
    if (pending) await pending;
  }
}

function createStepContext(options: AppOptions, publicUrl: () => string): StepContext {
  const { ctx, load, metrics } = options;
  const rates = new RateLimiter(ctx);
  const authenticator = new Authenticator(ctx);
  const brandHosts = new BrandHosts(ctx);
  return {
    ctx,
    options,
    authenticator,
    brandHosts,
    gate: new LoadGate({
      mostInFlight: ctx.config.requestsInFlight,
      load,
      onShed: (reason) => metrics.shed(reason),
    }),
    guesses: new GuessThrottle(rates),
    lateKeys: new LateKeys(ctx),
    lastUses: new LastUses(ctx, options.logger),
    rates,
    refusals: new RefusalCounter(ctx),
    sessions: new Sessions(ctx),
    streams: new EventStreams(ctx, options.streams),
    topAccounts: new TopAccounts(ctx),
    publicUrl,
    evictKeys: () => {
      authenticator.evict();
      brandHosts.evict();
    },
  };
}

function methodsOf(routes: readonly Route[], path: string): string[] {
  const methods = new Set<string>();
  for (const definition of routes) {
    const expression = definition.path.replace(/\{\w+\}/g, '[^/]+');
    if (!new RegExp(`^${expression}/?$`).test(path)) continue;
    methods.add(definition.method);
    if (definition.method === 'GET') methods.add('HEAD');
  }
  return [...methods];
}
