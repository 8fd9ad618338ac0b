import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AppContext,
  actingId,
  type BrandHost,
  contextAt,
  contextFor,
  readContextFor,
} from '../core/app-context.ts';
import { networkOf, siteOf } from '../core/connection-limits.ts';
import { DeletedReference } from '../core/deleted-reference.ts';
import { notFound, Refusal } from '../core/errors.ts';
import { reaches } from '../core/model/customer-access.ts';
import { asFirstPublished, keptAnswer, refusalAsSent } from './aliases.ts';
import { noteFacts } from './answer-log.ts';
import type { App, AppOptions } from './app.ts';
import {
  Authenticator,
  type Identity,
  parseBasic,
  plainAddress,
  refuseAccountStatus,
  unauthorized,
} from './authenticate.ts';
import { parseForm } from './body.ts';
import { costOf } from './cost.ts';
import { WireRefusal } from './errors.ts';
import { refuseForeignPage } from './foreign-page.ts';
import { GuessThrottle } from './guess-throttle.ts';
import { hideKeys, holdsKey } from './hide-keys.ts';
import { type Begun, beginIdempotent, type OpenRequest } from './idempotency/idempotency.ts';
import { LateKeys } from './idempotency/late-keys.ts';
import { BrandHosts } from './identity/brand-hosts.ts';
import { forCustomer, refusalForCustomer } from './identity/customer-view.ts';
import { LastUses } from './identity/last-uses.ts';
import { notInSession, refuseOutsideConsole, Sessions, wantsSession } from './identity/sessions.ts';
import { TopAccounts } from './identity/top-accounts.ts';
import { type Fields, gatherInput, sentNames, validateInput } from './input.ts';
import { httpLimits } from './limits.ts';
import { LoadGate, type Principal } from './load-gate.ts';
import { linkHeader } from './page.ts';
import { RateLimiter, type RateLimitStatus, rateHeaders } from './rate-limit.ts';
import { RefusalCounter } from './refusal-counter.ts';
import { renderError } from './render-error.ts';
import { Answer, type Caller, changesSomething, missingScopes, type Route, readsAnywhere } from './route.ts';
import { EventFeed } from './streams/event-feed.ts';
import { EventStreams } from './streams/event-streams.ts';

/** Share of the request budget of a key that a session gets. */
const userShare = 0.2;

const identified = new WeakMap<FastifyRequest, Caller>();

/** The stages of every request: authenticate, authorise, rate-limit, validate, idempotency, response. */
export class RequestPipeline {
  readonly #authenticator: Authenticator;
  readonly #options: AppOptions;
  readonly #guesses: GuessThrottle;
  readonly #late: LateKeys;
  readonly #gate: LoadGate;
  readonly #brandHosts: BrandHosts;
  readonly #rates: RateLimiter;
  readonly #refusals: RefusalCounter;
  readonly #sessions: Sessions;
  readonly #streams: EventStreams;
  readonly #tops: TopAccounts;
  readonly #uses: LastUses;
  app!: App;

  constructor(options: AppOptions) {
    this.#options = options;
    this.#authenticator = new Authenticator(options.ctx);
    this.#gate = new LoadGate({
      mostInFlight: options.ctx.config.requestsInFlight,
      load: options.load,
      onShed: (reason) => options.metrics.shed(reason),
    });
    this.#late = new LateKeys(options.ctx);
    this.#brandHosts = new BrandHosts(options.ctx);
    this.#rates = new RateLimiter(options.ctx);
    this.#guesses = new GuessThrottle(this.#rates);
    this.#refusals = new RefusalCounter(options.ctx);
    this.#sessions = new Sessions(options.ctx);
    this.#streams = new EventStreams(options.ctx, options.streams);
    this.#tops = new TopAccounts(options.ctx);
    this.#uses = new LastUses(options.ctx, options.logger);
  }

  /** Before the body is read: address, credentials, scope, budget. */
  async authorise(definition: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { ctx } = this.#options;
    const since = performance.now();
    this.#gate.enter(definition, request, reply);
    const address = plainAddress(request.ip);
    if (request.url.length > httpLimits.urlLength) throw new WireRefusal('uri_too_long');
    // Bodies are not decompressed, and compressed bytes must not be parsed as text.
    if (definition.method !== 'GET' && (request.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new WireRefusal('unsupported_media_type', 'Compressed bodies are not supported.');
    refuseUrlCredentials(request);
    const brandHost = await this.#brandHosts.of(request);
    if (brandHost) brandHosts.set(request, brandHost);
    if (changesSomething(definition)) refuseForeignPage(request, ctx.config, brandHost);
    if (definition.isPublic) {
      if (definition.forUsers) this.#refuseAnonymous(definition, request, address);
      await this.#authoriseAnonymous(request, address);
      const sender = { network: networkOf(address), site: siteOf(address) };
      this.#gate.openStrangerBody(definition, request, reply, sender);
      return;
    }
    const identity = wantsSession(request, ctx.config)
      ? await this.#identifyUser(definition, request, reply, address)
      : await this.#identifyKey(request, address);
    const { resellerId, user } = identity;
    noteFacts(request, { reseller_id: resellerId, key_id: identity.keyId });
    if (user) noteFacts(request, { person_id: user.id, session_id: user.sessionId });
    const principal = principalOf(identity, await this.#tops.of(resellerId));
    this.#gate.enterAs(principal, definition, reply);
    if (identity.customer && !definition.customer) throw noSuchPath(request);
    if (needsOpenAccount(definition, identity)) refuseAccountStatus(identity);
    rates.set(request, rateHeaders(await this.#counted(resellerId, () => this.#takeBudget(identity))));
    identified.set(request, { ...callerOf(definition, identity, request), topId: principal.top, since });
    this.#uses.note(identity);
    this.#refuseScope(definition, identity);
    refuseUnproven(definition, identity);
    this.#gate.openBody(definition, request, reply, principal);
    authorisedAt.set(request, performance.now());
  }

  /**
   * The caller once the body has arrived. A body may take until the request timeout; meanwhile a session can end, a key can be revoked
   * and scopes can be narrowed. Only a slow body costs this second look-up, and no budget is charged again.
   */
  async #callerAfterBody(definition: Route, request: FastifyRequest): Promise<Caller> {
    const caller = identified.get(request)!;
    const since = authorisedAt.get(request);
    if (since === undefined || performance.now() - since <= httpLimits.bodyAtOnceMs) return caller;
    const identity = await this.#identifyAgain(definition, request, caller, { isCached: false });
    const again = { ...caller, ...callerOf(definition, identity, request) };
    identified.set(request, again);
    return again;
  }

  /** Authenticates and authorises an admitted caller once more, by its present credentials. */
  async #identifyAgain(
    definition: Route,
    request: FastifyRequest,
    caller: Caller,
    { isCached }: { readonly isCached: boolean },
  ): Promise<Identity> {
    const { authorization } = request.headers;
    const identity = caller.user
      ? await this.#sessions.identify(request, fromOf(request, caller.address), undefined, definition.opensHalf)
      : await this.#authenticator.identify(authorization, caller.address, { isCached });
    if (!identity || !isSamePrincipal(identity, caller)) {
      this.#refusals.note('login', caller.resellerId);
      throw caller.user ? notInSession('there is no session, or it has ended') : unauthorized();
    }
    this.#authorise(definition, identity);
    return identity;
  }

  #authorise(definition: Route, identity: Identity): void {
    if (needsOpenAccount(definition, identity)) refuseAccountStatus(identity);
    this.#refuseScope(definition, identity);
    refuseUnproven(definition, identity);
  }

  async #identifyKey(request: FastifyRequest, address: string): Promise<Identity> {
    const identity = await this.#authenticator.identify(request.headers.authorization, address, {
      refuseThrottled: (resellerId) => this.#refuseThrottled(request, address, resellerId),
    });
    return identity ?? this.#refuseGuess(request, address);
  }

  async #identifyUser(
    definition: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
  ): Promise<Identity> {
    refuseOutsideConsole(request, this.#options.ctx.config, brandHosts.get(request));
    const setCookie = (cookie: string) => void reply.header('Set-Cookie', cookie);
    const identity = await this.#sessions.identify(request, fromOf(request, address), setCookie, definition.opensHalf);
    if (identity) return identity;
    this.#refusals.note('login', undefined);
    throw notInSession('there is no session, or it has ended');
  }

  /** Passwords can be guessed here, so callers with too many misses are refused even with the correct one. */
  #refuseAnonymous(definition: Route, request: FastifyRequest, address: string): void {
    refuseOutsideConsole(request, this.#options.ctx.config, brandHosts.get(request));
    if (!definition.isNoGuess) this.#guesses.refuseExhausted(address, undefined);
  }

  async #takeBudget({ keyId, user, address }: Identity): Promise<RateLimitStatus> {
    const { rateLimitPerMinute, addressRateLimitPerMinute } = this.#options.ctx.config;
    const taken = user
      ? await this.#rates.take(`session:${user.sessionId}`, Math.ceil(rateLimitPerMinute * userShare))
      : await this.#rates.take(`key:${keyId}`, rateLimitPerMinute);
    await this.#rates.take(`address:${address}`, addressRateLimitPerMinute);
    return taken;
  }

  #refuseScope(definition: Route, { resellerId, user, customer, scopes: own }: Identity): void {
    if (definition.forUsers && !user) throw new WireRefusal('session_required');
    if (customer && !reaches(customer.access, definition.customer!))
      throw new Refusal('scope_missing', `Your access level does not allow this: it is ${customer.access}.`, {
        facts: { scope: definition.customer },
      });
    const scopes = missingScopes(definition, own);
    if (customer || scopes.length === 0) return;
    this.#refusals.note('scope', resellerId);
    const who = user ? 'Your role' : 'This API key';
    throw new Refusal('scope_missing', `${who} lacks the scope ${scopes.join(' or ')}.`, {
      facts: { scope: scopes[0] },
    });
  }

  /** For pages without credentials. */
  async takeAddressBudget(request: FastifyRequest): Promise<void> {
    const perMinute = this.#options.ctx.config.addressRateLimitPerMinute;
    await this.#rates.take(`address:${plainAddress(request.ip)}`, perMinute);
  }

  /** Invalid proof, such as a wrong token, counts like a wrong key. */
  async missAddress(request: FastifyRequest): Promise<void> {
    await this.#guesses.miss(plainAddress(request.ip), undefined);
  }

  async #authoriseAnonymous(request: FastifyRequest, address: string): Promise<void> {
    await this.takeAddressBudget(request);
    const anonymous = { resellerId: '0', keyId: null, scopes: [], isOperator: false };
    identified.set(request, { ...anonymous, address, requestId: request.id, header: headersOf(request) });
  }

  /** Without Idempotency-Key, because there is no account to store responses for. */
  async #servePublic(ctx: AppContext, definition: Route, caller: Caller, input: unknown): Promise<Answer> {
    try {
      const answer = asAnswer(await definition.answer(ctx, caller, input as never));
      this.#noticeChange(definition);
      return answer;
    } catch (caught) {
      const error = caught instanceof DeletedReference ? unauthorized() : caught;
      if (error instanceof Refusal && error.code === 'unauthorized') {
        await this.#guesses.miss(caller.address, undefined);
        if (definition.forUsers) throw notInSession(error.message);
      }
      throw error;
    }
  }

  /** Expensive calls draw on a second budget of the whole account. */
  async #charge(definition: Route, { resellerId }: Caller, input: Fields): Promise<void> {
    const units = costOf(definition, input);
    if (units === 0) return;
    const perMinute = this.#options.ctx.config.costLimitPerMinute;
    await this.#counted(resellerId, () =>
      this.#rates.take(`cost:${resellerId}`, perMinute, { units, what: 'units of work' }),
    );
  }

  /** A used-up budget is counted for its account. */
  async #counted<T>(resellerId: string, take: () => Promise<T>): Promise<T> {
    try {
      return await take();
    } catch (error) {
      if (error instanceof Refusal) this.#refusals.note('throttle', resellerId);
      throw error;
    }
  }

  #refuseThrottled(request: FastifyRequest, address: string, resellerId: string): void {
    try {
      this.#guesses.refuseExhausted(address, resellerId);
    } catch (error) {
      noteFacts(request, { claimed_id: resellerId });
      this.#refusals.note('login', resellerId);
      throw error;
    }
  }

  async #refuseGuess(request: FastifyRequest, address: string): Promise<never> {
    const claimed = parseBasic(request.headers.authorization)?.user;
    const resellerId = claimed !== undefined && /^\d+$/.test(claimed) ? claimed : undefined;
    if (resellerId) noteFacts(request, { claimed_id: resellerId });
    this.#refusals.note('login', resellerId);
    await this.#guesses.miss(address, resellerId);
    throw unauthorized();
  }

  /** The body as its parser reads it. A large body is charged as it arrives. */
  meter(request: FastifyRequest, body: IncomingMessage): IncomingMessage | Transform {
    return this.#gate.meter(request, body);
  }

  async serve(definition: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await this.#callerAfterBody(definition, request);
    const ctx = contextAt(this.#options.ctx, brandHosts.get(request));
    const fields = gatherInput(definition, request);
    if (definition.former) sentTo.set(request, { definition, names: sentNames(request) });
    const input = validateInput(definition, fields);
    await this.#charge(definition, caller, input as Fields);
    const key = request.headers['idempotency-key'];
    if (definition.isPublic)
      return this.#send(definition, request, reply, await this.#servePublic(ctx, definition, caller, input));
    if (definition.method === 'GET' || definition.forUsers || typeof key !== 'string') {
      const contextOf = readsAnywhere(definition) ? readContextFor : contextFor;
      const result = await definition.answer(contextOf(ctx, caller), caller, input as never);
      this.#noticeChange(definition);
      const answer = result instanceof EventFeed ? await this.#follow(definition, request, reply, result) : result;
      return this.#send(definition, request, reply, asAnswer(answer), input as Fields);
    }
    return this.#serveOnce(definition, request, reply, caller, fields, input, key);
  }

  /** From here on it does not count as a request in progress, and holds no database connection. */
  async #follow(definition: Route, request: FastifyRequest, reply: FastifyReply, feed: EventFeed): Promise<Answer> {
    // A HEAD request would never read the stream.
    if (request.method === 'HEAD') return new Answer('');
    const caller = identified.get(request)!;
    const stream = await this.#streams.open(caller, feed, () =>
      this.#identifyAgain(definition, request, caller, { isCached: true }),
    );
    this.#gate.leave(reply);
    // Otherwise proxies would buffer it.
    return new Answer(stream, { headers: { 'X-Accel-Buffering': 'no' } });
  }

  /** Ends streams before the shutdown waits for open responses. */
  endStreams(): void {
    this.#streams.close();
  }

  /** Changed keys and accounts take effect at once in this process, and in others when their cache expires. Sessions are not cached. */
  #noticeChange({ method, area }: Route): void {
    if (method !== 'GET' && ['account', 'resellers', 'users'].includes(area)) this.evictKeys();
  }

  async #serveOnce(
    definition: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    fields: Fields,
    input: unknown,
    key: string,
  ): Promise<FastifyReply> {
    const ctx = contextFor(this.#options.ctx, caller);
    // A stored secret is only repeated to the key or user that requested it, not to others of the account.
    const path = `${request.url.split('?')[0]}${definition.secret ? ` ${actingId(caller)}` : ''}`;
    const known = asFirstPublished(definition, path, fields);
    const begun = await beginIdempotent(ctx, caller, key, definition, known.path, known.fields, this.#late);
    if (begun.kind !== 'run') {
      reply.header('Idempotency-Replayed', 'true');
      return this.#send(definition, request, reply, await this.#answerAgain(definition, caller, begun));
    }
    try {
      const answer = asAnswer(await definition.answer(ctx, { ...caller, idempotency: begun.request }, input as never));
      this.#noticeChange(definition);
      await begun.request.finish(answer.status, JSON.stringify(answer.body));
      ctx.failpoint('http:before-answer');
      return this.#send(definition, request, reply, answer);
    } catch (error) {
      const answered = errorFor(request, caller, error);
      await this.#closeAfterError(begun.request, answered, request.id);
      throw answered;
    }
  }

  async #answerAgain(definition: Route, caller: Caller, begun: Exclude<Begun, { kind: 'run' }>): Promise<Answer> {
    const { answerOperation } = this.#options;
    const ctx = contextFor(this.#options.ctx, caller);
    if (begun.kind === 'follow')
      return asAnswer(await (definition.again ?? answerOperation)(ctx, caller, begun.operationId));
    if (begun.answer.status !== 200) return begun.answer;
    const kept = keptAnswer(definition, begun.answer);
    return definition.now ? asAnswer(await definition.now(ctx, caller, kept.body)) : kept;
  }

  /** Definite refusals are stored. 401, 403, 429, internal errors and temporary conflicts are not. */
  async #closeAfterError(open: OpenRequest, error: unknown, requestId: string): Promise<void> {
    const { status, body } = renderError(error, requestId, this.app.publicUrl);
    const isDefinite = status >= 400 && status < 500 && ![401, 403, 429].includes(status);
    const storable = isDefinite && body.code !== 'operation_in_progress';
    await (storable ? open.finish(status, JSON.stringify(body)) : open.release()).catch(() => undefined);
  }

  #send(
    definition: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: Answer,
    input: Fields = {},
  ): FastifyReply {
    reply.code(answer.status).headers({ 'X-Request-Id': request.id, ...rates.get(request), ...answer.headers });
    const isKept = !definition.secret && definition.answerType !== 'text/event-stream';
    reply.header('Cache-Control', !isKept ? 'no-store' : 'private, no-cache');
    if (definition.isList && answer.listed) {
      const base = `${this.app.publicUrl}${request.url.split('?')[0]}`;
      const link = linkHeader(base, gatherQuery(request), input, answer.listed);
      if (link) reply.header('Link', link);
    }
    if (answer.status >= 400) {
      noteFacts(request, { code: (answer.body as { code?: string }).code ?? 'unknown' });
      return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(answer.body);
    }
    // A bare text would be sent unquoted; JSON requires quotes (GET auth_code).
    const isBareText = definition.answerType === undefined && typeof answer.body === 'string';
    const customerId = identified.get(request)?.customerId;
    const shown = customerId === undefined ? answer.body : forCustomer(answer.body, customerId);
    const body = isBareText ? JSON.stringify(shown) : shown;
    const type = answer.type ?? definition.answerType ?? 'application/json';
    if (definition.alsoAs) reply.header('Vary', 'Accept');
    return reply.type(type === 'application/pdf' ? type : `${type}; charset=utf-8`).send(body);
  }

  async refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const rendered = renderError(errorFor(request, identified.get(request), error), request.id, this.app.publicUrl);
    noteFacts(request, { code: rendered.body.code as string });
    if (rendered.isOurs) request.log.error({ request_id: request.id, err: error }, 'request failed');
    return reply
      .code(rendered.status)
      .headers({ 'X-Request-Id': request.id, 'Cache-Control': 'no-store', ...rates.get(request), ...rendered.headers })
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(rendered.body);
  }

  /** Runs before the body is read. The paths are public, so no credentials are needed. */
  async notFound(routes: readonly Route[], request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.split('?')[0]!;
    // Browsers are redirected to the console; programs get JSON.
    if (request.method === 'GET' && path === '/' && /\btext\/html\b/.test(request.headers.accept ?? ''))
      return reply.header('Vary', 'Accept').redirect('/app', 302);
    const shown = shownPath(request);
    const allowed = path.startsWith('/v1/') ? methodsOf(routes, path.slice(3)) : [];
    const refusal =
      allowed.length > 0
        ? new WireRefusal('method_not_allowed', `${shown} does not support ${request.method}.`, {
            headers: { Allow: allowed.join(', ') },
          })
        : noSuchPath(request);
    return this.refuse(refusal, request, reply);
  }

  /** Drops cached keys, accounts and brand hosts. */
  evictKeys(): void {
    this.#authenticator.evict();
    this.#brandHosts.evict();
  }

  flushCounts(): Promise<void> {
    return this.#refusals.flush();
  }

  async close(): Promise<void> {
    this.#late.close();
    await this.#uses.close();
    await this.#refusals.close();
  }
}

function errorFor(request: FastifyRequest, caller: Caller | undefined, error: unknown): unknown {
  const sent = sentTo.get(request);
  const refused = sent ? refusalAsSent(error, sent.definition, sent.names) : error;
  const answered = refused instanceof DeletedReference ? refusalOfDeleted(request, caller, refused) : refused;
  return caller?.customerId === undefined ? answered : refusalForCustomer(answered);
}

/**
 * Returns what the next request would get: 401 if the caller itself was deleted, 404 for an id in the path, 400 with the field for an id
 * in the body.
 */
function refusalOfDeleted(request: FastifyRequest, caller: Caller | undefined, error: DeletedReference): Refusal {
  const { noun, id } = error;
  const own = { reseller: caller?.resellerId, customer: caller?.customerId, contact: undefined }[noun];
  if (caller && id === own) return caller.user ? notInSession('there is no session, or it has ended') : unauthorized();
  const inPath = (request.params as Record<string, string | undefined>)[`${noun}_id`];
  return inPath === id ? notFound(noun) : error;
}

const shownPath = (request: FastifyRequest) => hideKeys(request.url.split('?')[0]!).slice(0, 200);

const noSuchPath = (request: FastifyRequest) =>
  new WireRefusal('route_not_found', `There is no ${request.method} ${shownPath(request)}.`);

/** A session needs more than its cookie: a second factor in time, and recent authentication for sensitive calls. */
function refuseUnproven(definition: Route, { sessionStatus }: Identity): void {
  if (!sessionStatus) return;
  const isAboutOneself = definition.forUsers && definition.scope === null;
  if (sessionStatus.lacksFactor && !isAboutOneself) throw new WireRefusal('factor_required');
  if (definition.sudo && !sessionStatus.isProven)
    throw new WireRefusal('reauthentication_required', undefined, { facts: { methods: sessionStatus.methods } });
}

/** A user in a suspended account can still switch to another one. */
const needsOpenAccount = (definition: Route, { customer }: Identity) =>
  !definition.forUsers || definition.scope !== null || customer !== undefined;

const principalOf = ({ resellerId, keyId, user, customer }: Identity, top: string): Principal => ({
  account: resellerId,
  top,
  customer: customer?.id,
  session: user?.sessionId,
  key: keyId ?? undefined,
});

const isSamePrincipal = ({ resellerId, keyId, user, customer }: Identity, caller: Caller) =>
  resellerId === caller.resellerId &&
  keyId === caller.keyId &&
  user?.sessionId === caller.user?.sessionId &&
  customer?.id === caller.customerId;

/** Requests to calls that have earlier names, with the names of the fields that they sent. */
const sentTo = new WeakMap<FastifyRequest, { readonly definition: Route; readonly names: ReadonlySet<string> }>();

/** When an authenticated caller passed all checks before the body. */
const authorisedAt = new WeakMap<FastifyRequest, number>();

const rates = new WeakMap<FastifyRequest, Record<string, string>>();

/** Brand hosts of requests. */
const brandHosts = new WeakMap<FastifyRequest, BrandHost>();

const fromOf = (request: FastifyRequest, address: string) => ({ address, brandHost: brandHosts.get(request) });

function callerOf(definition: Route, identity: Identity, request: FastifyRequest): Caller {
  const { resellerId, keyId, user, customer, scopes, isOperator, address } = identity;
  // From this access level on, customers do what otherwise their reseller does.
  const acts = customer && definition.customer !== undefined && reaches(definition.customer, 'manage');
  const who = { resellerId, keyId, user, customerId: customer?.id, acts, scopes, isOperator };
  return { ...who, address, requestId: request.id, header: headersOf(request) };
}

const headersOf = (request: FastifyRequest) => (name: string) => {
  const value = request.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
};

function asAnswer(result: unknown): Answer {
  return result instanceof Answer ? result : new Answer(result);
}

/** The filters of the caller, without paging parameters in either spelling. */
function gatherQuery(request: FastifyRequest): Record<string, string> {
  const kept = parseForm(request.url.split('?').slice(1).join('?'));
  for (const [name, value] of Object.entries(kept)) {
    if (value === '' || /^(limit|page[_-]no)$/.test(name)) delete kept[name];
  }
  return kept;
}

const credentialNames = new Set([
  'api_key',
  'apikey',
  'api-key',
  'auth-userid',
  'authorization',
  'access_token',
  'auth-password',
  'auth_password',
  'authpassword',
]);

/** A key in a URL appears in logs on its way. */
function refuseUrlCredentials(request: FastifyRequest): void {
  const query = request.url.split('?')[1];
  const named = query
    ? [...new URLSearchParams(query).keys()].some((name) => credentialNames.has(name.toLowerCase()))
    : false;
  // As in http://user:password@host/path, because some clients send the whole URL.
  const before = /^\w+:\/\/[^/?#]*@/.test(request.url);
  if (named || before || holdsKey(request.url)) throw new WireRefusal('credentials_in_url');
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
