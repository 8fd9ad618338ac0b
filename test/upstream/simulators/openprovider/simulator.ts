import { SimulatorClock } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import { Ledger } from '../ledger.ts';
import { moneyProblems, Portfolio, type SimulatedDomain } from '../portfolio.ts';
import { randomFrom } from '../random.ts';
import { alterJson, type Protocol, type SimulatedAnswer, type SimulatedRequest, SimulatorServer } from '../server.ts';
import {
  type Call,
  type Elsewhere,
  extraOf,
  type Fields,
  isObject,
  nameOf,
  Refused,
  rulesOf,
  type State,
} from './call.ts';
import { changeCalls } from './change-calls.ts';
import { hostCalls } from './host-calls.ts';
import { lookupCalls } from './lookup-calls.ts';
import { orderCalls } from './order-calls.ts';
import { Repeats } from './repeats.ts';
import { renewalDate } from './rows.ts';
import { type OpenproviderSettings, strictSettings } from './settings.ts';

const calls = [...lookupCalls, ...orderCalls, ...changeCalls, ...hostCalls];
const base = '/v1beta';
const login = `${base}/auth/login`;
const secretFields = new Set(['password', 'auth_code', 'token']);
const createBlockMs = 300_000;
const checkBlockMs = 300_000;

interface Found {
  readonly call: Call;
  readonly id: string;
}

/** An account at Openprovider, simulated from its public documents and clients. The sources are named at each rule. */
export class OpenproviderSimulator implements Protocol {
  readonly state: State;
  readonly server: SimulatorServer;
  readonly repeats: Repeats;
  /** Whether the caller's address may use the API. */
  allowed = true;
  logins = 0;
  #blocks = new Map<string, number>();
  #renewedAt = Number.NaN;

  private constructor(settings: OpenproviderSettings, clock: SimulatorClock, wall: () => number) {
    const ledger = new Ledger(clock, settings.currency, settings.funds);
    const random = randomFrom(settings.seed);
    let handles = 900_100;
    this.state = {
      settings,
      clock,
      ledger,
      portfolio: new Portfolio(clock, ledger, 5_000_001, 8_000_001),
      customers: new Map(),
      extras: new Map(),
      elsewhere: new Map(),
      premium: new Map(),
      unknown: new Set(),
      tokens: new Map(),
      nextHandle() {
        handles += 1;
        return `OP${handles}-NL`;
      },
      code: () => `p${Math.floor(random() * 2 ** 40).toString(36)}C3!`,
    };
    this.repeats = new Repeats(settings.repeats, wall);
    this.server = new SimulatorServer(this, {}, wall);
  }

  static async start(
    settings: Partial<OpenproviderSettings> = {},
    clock = new SimulatorClock(),
    wall: () => number = () => performance.now(),
  ): Promise<OpenproviderSimulator> {
    const simulator = new OpenproviderSimulator({ ...strictSettings, ...settings }, clock, wall);
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
    const dates = { createdAt: now - 100 * 86_400_000, expiresAt: now + 265 * 86_400_000 };
    const authCode = this.state.code();
    const domain = this.state.portfolio.enter({ name, customer: '', status: 'active', authCode, ...dates, ...values });
    const autorenew = domain.autoRenew ? 'on' : 'off';
    this.state.extras.set(domain.id, { comments: '', autorenew, calls: [], isRemoved: false });
    return domain;
  }

  /** A domain that is registered elsewhere. */
  addElsewhere(name: string, values: Partial<Elsewhere> = {}): void {
    const expiresAt = this.state.clock.now() + 200 * 86_400_000;
    this.state.elsewhere.set(name, { authCode: 'Code-4711', locked: false, expiresAt, ...values });
  }

  /** Ends all sessions. */
  endTokens(): void {
    this.state.tokens.clear();
  }

  /** Removes the blocks of the account, as a person does in the panel. */
  unblock(): void {
    this.#blocks.clear();
  }

  /** Differences between orders and money; none if they agree. */
  problems(): string[] {
    return moneyProblems(this.state.portfolio, this.state.ledger);
  }

  describe(request: SimulatedRequest) {
    const found = findCall(request);
    const body = bodyOf(request);
    const parameters = JSON.stringify({ query: [...request.query].sort(), body: masked(body) });
    const call = request.path === login ? 'login' : (found?.call.name ?? request.path);
    return { call, domain: this.#nameIn(request, body, found), parameters: `${request.path} ${parameters}` };
  }

  carryOut(request: SimulatedRequest, fault: FaultRule | undefined): SimulatedAnswer {
    this.#passTime();
    try {
      return this.#show(0, '', this.#run(request, fault));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#show(error.code, error.message, {});
    }
  }

  refusal(message: string): SimulatedAnswer {
    return this.#show(399, message, {});
  }

  /** `10005 Access denied`, until it is removed by hand. */
  blocked(): SimulatedAnswer {
    return this.#show(10_005, 'Access denied', {});
  }

  alter(answer: SimulatedAnswer, fault: FaultRule): SimulatedAnswer {
    return answer.type.includes('json') ? alterJson(answer, fault) : answer;
  }

  #run(request: SimulatedRequest, fault: FaultRule | undefined): unknown {
    if (!this.allowed) throw new Refused(10_005, 'Access denied');
    if (request.path === login) return this.#logIn(request);
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if ((this.state.tokens.get(token) ?? 0) <= this.state.clock.now())
      throw new Refused(196, 'Authentication/Authorization Failed');
    const found = findCall(request);
    if (!found) throw new Refused(1, `Unknown call: ${request.method} ${request.path}`);
    const body = bodyOf(request);
    this.#count(found.call, request, body);
    if (this.state.settings.form === 'strict') refuseUnknown(found.call, request, body);
    return found.call.run(this.state, { id: found.id, query: request.query, body }, fault);
  }

  #logIn(request: SimulatedRequest): object {
    const { username, password, tokenHours, oneToken } = this.state.settings;
    const body = bodyOf(request);
    this.logins += 1;
    if (!this.repeats.take('login', '')) throw new Refused(50, 'Calls limit has been reached');
    if (body.username !== username || body.password !== password) {
      const isCounted = this.repeats.take('badLogin', '');
      throw isCounted
        ? new Refused(196, 'Authentication/Authorization Failed')
        : new Refused(50, 'Calls limit has been reached');
    }
    if (oneToken) this.state.tokens.clear();
    const token = `${this.state.code()}${this.state.code()}`.replaceAll('!', '');
    this.state.tokens.set(token, this.state.clock.now() + tokenHours * 3_600_000);
    return { token, reseller_id: 1001 };
  }

  /** Identical means that all arguments are identical. */
  #count({ name }: Call, { method, path, query }: SimulatedRequest, body: Fields): void {
    const identity = `${method} ${path} ${[...query].join('&')} ${JSON.stringify(body)}`;
    const isBlocked = (key: string) => (this.#blocks.get(key) ?? 0) > this.repeats.now;
    if (isBlocked('all') || isBlocked(identity))
      throw new Refused(4007, 'API access temporarily blocked because of excessive use');
    if (isBlocked(`check ${identity}`)) throw new Refused(50, 'Calls limit has been reached');
    if (name === 'createDomain') {
      if (this.repeats.take('create', identity)) return;
      const key = this.state.settings.createBlock === 'all' ? 'all' : identity;
      this.#blocks.set(key, this.repeats.now + createBlockMs);
      throw new Refused(4007, 'API access temporarily blocked because of excessive use');
    }
    if (name === 'checkDomain') {
      if (this.repeats.take('check', identity)) return;
      this.#blocks.set(`check ${identity}`, this.repeats.now + checkBlockMs);
      throw new Refused(50, 'Calls limit has been reached');
    }
    if (this.repeats.take('query', identity)) return;
    this.server.blockedBecause = '10005';
    throw new Refused(10_005, 'Access denied');
  }

  #show(code: number, desc: string, data: unknown): SimulatedAnswer {
    const body = JSON.stringify({ code, data, desc, maintenance: false, warnings: [] });
    return { status: code === 0 ? 200 : this.state.settings.refusalStatus, type: 'application/json', body };
  }

  /** Without its own renewal, Openprovider deletes a domain at its own expiry date (article 216648568). */
  #passTime(): void {
    const now = this.state.clock.now();
    if (now === this.#renewedAt) return;
    this.#renewedAt = now;
    this.state.portfolio.renewExpired(({ name }) => rulesOf(this.state, name).renew);
    for (const domain of this.state.portfolio.domains.values()) {
      if (domain.status !== 'active' || domain.autoRenew || renewalDate(this.state, domain)! > now) continue;
      domain.status = 'redemption';
      domain.deletedAt = now;
    }
  }

  #nameIn({ query }: SimulatedRequest, body: Fields, found: Found | undefined): string {
    const own = found && this.state.portfolio.domains.get(found.id)?.name;
    if (own) return own;
    if (isObject(body.domain)) {
      try {
        return nameOf(body.domain);
      } catch {
        return '';
      }
    }
    return (query.get('full_name') ?? query.get('filter_for_subject') ?? '').toLowerCase();
  }

  /** The id of our operation in the order of a domain. */
  commentOf(domain: SimulatedDomain): string {
    return extraOf(this.state, domain.id).comments;
  }
}

function findCall({ method, path }: SimulatedRequest): Found | undefined {
  if (!path.startsWith(base)) return undefined;
  const own = path.slice(base.length).split('/');
  for (const call of calls) {
    const parts = call.path.split('/');
    if (call.method !== method || parts.length !== own.length) continue;
    if (parts.some((part, place) => part !== '{id}' && part !== own[place])) continue;
    const at = parts.indexOf('{id}');
    return { call, id: at < 0 ? '' : decodeURIComponent(own[at]!) };
  }
  return undefined;
}

function bodyOf({ body }: SimulatedRequest): Fields {
  try {
    const parsed: unknown = JSON.parse(body);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const masked = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).map(([field, value]) => [field, secretFields.has(field) ? '***' : value]));

function refuseUnknown({ takes }: Call, { query }: SimulatedRequest, body: Fields): void {
  const unknown = [...query.keys(), ...Object.keys(body)].find((field) => !takes.includes(field));
  if (unknown !== undefined) throw new Refused(310, `Unknown parameter: ${unknown}`);
}
