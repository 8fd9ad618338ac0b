import { SimulatorClock } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import { Ledger } from '../ledger.ts';
import { moneyProblems, Portfolio, type SimulatedDomain } from '../portfolio.ts';
import { randomFrom } from '../random.ts';
import { alterJson, type Protocol, type SimulatedAnswer, type SimulatedRequest, SimulatorServer } from '../server.ts';
import { changeRoutes } from './changes.ts';
import { contactRoutes } from './contacts.ts';
import { orderRoutes } from './orders.ts';
import { queryRoutes } from './queries.ts';
import { type RealtimeRegisterSettings, strictSettings } from './settings.ts';
import {
  type Answer,
  badField,
  type Elsewhere,
  type Fields,
  Refused,
  type Route,
  rulesOf,
  type State,
} from './state.ts';

const routes: readonly Route[] = [...orderRoutes, ...changeRoutes, ...contactRoutes, ...queryRoutes];
const basePath = '/v2/';
/** Parameters of a list that are no filters, and filters, which the list checks itself. */
const isList = ({ call }: Route): boolean => call.startsWith('list');
const secretFields = ['authcode'];

/**
 * An account at Realtime Register, simulated from its public documents: the pages about the API (domains, contacts, hosts, processes,
 * listings, errors, quotes, notifications, transactions), the skill in `realtimeregister/skills`, and the SDKs for TypeScript and PHP.
 */
export class RealtimeRegisterSimulator implements Protocol {
  readonly state: State;
  readonly server: SimulatorServer;
  /** False: our address is not on the list. */
  allowed = true;
  suspended = false;
  #renewedAt = Number.NaN;

  private constructor(settings: RealtimeRegisterSettings, clock: SimulatorClock, wall: (() => number) | undefined) {
    const ledger = new Ledger(clock, settings.currency, settings.funds);
    const random = randomFrom(settings.seed);
    this.state = {
      settings,
      clock,
      ledger,
      portfolio: new Portfolio(clock, ledger, 1, 46_069_001),
      contacts: new Map(),
      elsewhere: new Map(),
      premium: new Map(),
      locked: new Set(),
      notifications: [],
      commands: new Map(),
      running: new Map(),
      requests: 0,
      code: () => `c${Math.floor(random() * 2 ** 40).toString(36)}A1!`,
    };
    this.server = new SimulatorServer(this, settings.limits, wall);
  }

  static async start(
    settings: Partial<RealtimeRegisterSettings> = {},
    clock = new SimulatorClock(),
    wall?: () => number,
  ): Promise<RealtimeRegisterSimulator> {
    const simulator = new RealtimeRegisterSimulator({ ...strictSettings, ...settings }, clock, wall);
    await simulator.server.listen();
    return simulator;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  get faults() {
    return this.server.faults;
  }

  get log() {
    return this.server.log;
  }

  /** A domain that the account has had for a while: no order and no charge of ours. */
  addDomain(name: string, values: Partial<SimulatedDomain> = {}): SimulatedDomain {
    const now = this.state.clock.now();
    const [createdAt, expiresAt] = [now - 100 * 86_400_000, now + 265 * 86_400_000];
    const { customer } = this.state.settings;
    const authCode = this.state.code();
    return this.state.portfolio.enter({ name, customer, status: 'active', createdAt, expiresAt, authCode, ...values });
  }

  /** A domain that is registered elsewhere. */
  addElsewhere(name: string, values: Partial<Elsewhere> = {}): void {
    const expiresAt = this.state.clock.now() + 200 * 86_400_000;
    const known = { sameRegistrar: false, authCode: 'Code-4711', locked: false, expiresAt };
    this.state.elsewhere.set(name, { ...known, ...values });
  }

  notify(domain: string, message: string): void {
    const { notifications, clock } = this.state;
    notifications.push({ id: notifications.length + 1, at: clock.now(), domain, message, isAcknowledged: false });
  }

  /** Differences between orders and money; none if they agree. */
  problems(): string[] {
    return moneyProblems(this.state.portfolio, this.state.ledger);
  }

  describe(request: SimulatedRequest) {
    const path = partsOf(request);
    const route = routeOf(request.method, path);
    const order = path[0] === 'processes' ? this.state.portfolio.orders.get(path[1] ?? '') : undefined;
    const domain = path[0] === 'domains' ? (path[1] ?? '') : (order?.domain ?? '');
    const parameters = `${[...request.query].map(([key, value]) => `${key}=${value}`).join('&')} ${masked(request.body)}`;
    return { call: route?.call ?? path.join('/'), domain, parameters: `${path.join('/')} ${parameters}` };
  }

  carryOut(request: SimulatedRequest, fault: FaultRule | undefined): SimulatedAnswer {
    this.state.requests += 1;
    this.#executeRunning();
    this.#renewExpired();
    try {
      return this.#show(this.#run(request, fault));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#refuse(error);
    }
  }

  refusal(message: string): SimulatedAnswer {
    // `Type: message` refuses with this type.
    const [, type = 'ValidationError', text = message] = /^(\w+): (.+)$/.exec(message) ?? [];
    return this.#refuse(new Refused(type, text));
  }

  blocked(reason: string): SimulatedAnswer {
    return this.#refuse(new Refused('TooManyRequests', reason, {}, 429));
  }

  alter(answer: SimulatedAnswer, fault: FaultRule): SimulatedAnswer {
    return answer.body === '' ? answer : alterJson(answer, fault);
  }

  #run(request: SimulatedRequest, fault: FaultRule | undefined): Answer {
    const { settings } = this.state;
    if (!this.allowed) {
      const type = settings.addressRefusal === 401 ? 'AuthenticationError' : 'AuthorizationError';
      throw new Refused(type, 'Access from this address is not allowed', {}, settings.addressRefusal);
    }
    if (this.suspended) throw new Refused('AuthorizationError', 'The account is suspended', {}, 403);
    if (request.headers.authorization !== `ApiKey ${settings.apiKey}`)
      throw new Refused('AuthenticationError', 'Authentication failed', {}, 401);
    const path = partsOf(request);
    const route = routeOf(request.method, path);
    if (!route) throw new Refused('NotFound', `No such call: ${request.method} ${request.path}`, {}, 404);
    const body = bodyOf(request);
    this.#check(route, request, body);
    return route.run(this.state, { path, query: request.query, body, fault });
  }

  #check(route: Route, { query }: SimulatedRequest, body: Fields): void {
    const { required = [], optional = [], parameters = [] } = route;
    const missing = required.find((field) => body[field] === undefined);
    if (missing !== undefined) throw badField(missing, 'Is required');
    if (this.state.settings.form === 'lenient') return;
    const unknown = Object.keys(body).find((field) => !required.includes(field) && !optional.includes(field));
    if (unknown !== undefined)
      throw new Refused('UnrecognizedPropertyException', `Unknown property ${unknown}`, { property: unknown });
    const unknownParameter = isList(route) ? undefined : [...query.keys()].find((key) => !parameters.includes(key));
    if (unknownParameter !== undefined) throw badField(unknownParameter, 'Unknown parameter');
  }

  #show({ status, body, headers = {} }: Answer): SimulatedAnswer {
    return { status, type: 'application/json', body: body === undefined ? '' : JSON.stringify(body), headers };
  }

  /** The documents differ about the status of a missing object, and about whether the answer has a body then. */
  #refuse({ type, message, more, status }: Refused): SimulatedAnswer {
    const { missing } = this.state.settings;
    const isMissing = type === 'ObjectDoesNotExist' && status === 404;
    if (isMissing && missing === 'empty_404') return { status: 404, type: 'text/plain', body: '' };
    const shown = isMissing && missing === 'status_400' ? 400 : status;
    return { status: shown, type: 'application/json', body: JSON.stringify({ type, message, ...more }) };
  }

  #executeRunning(): void {
    const { running, portfolio, requests } = this.state;
    for (const [id, at] of running) {
      if (requests < at) continue;
      running.delete(id);
      if (portfolio.orders.get(id)!.doneAt === null) portfolio.complete(id);
    }
  }

  #renewExpired(): void {
    const now = this.state.clock.now();
    if (now === this.#renewedAt) return;
    this.#renewedAt = now;
    this.state.portfolio.renewExpired(({ name }) => rulesOf(this.state, name).renew);
  }
}

const partsOf = ({ path }: SimulatedRequest): string[] =>
  path.startsWith(basePath) ? path.slice(basePath.length).split('/').map(decodeURIComponent) : [path];

/** A fixed part is preferred to `*`. */
function routeOf(method: string, path: readonly string[]): Route | undefined {
  const fitting = routes.filter((route) => {
    const parts = route.path.split('/');
    return (
      route.method === method &&
      parts.length === path.length &&
      parts.every((part, at) => part === '*' || part === path[at])
    );
  });
  const stars = ({ path: pattern }: Route) => pattern.split('*').length;
  return fitting.sort((a, b) => stars(a) - stars(b))[0];
}

function bodyOf({ body }: SimulatedRequest): Fields {
  if (body === '') return {};
  try {
    return JSON.parse(body) as Fields;
  } catch {
    throw new Refused('InvalidMessage', 'The message is not JSON');
  }
}

function masked(body: string): string {
  if (body === '') return '';
  return JSON.stringify(JSON.parse(body, (key, value: unknown) => (secretFields.includes(key) ? '***' : value)));
}
