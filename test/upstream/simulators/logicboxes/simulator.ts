import { SimulatorClock } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import { Ledger } from '../ledger.ts';
import { moneyProblems, Portfolio, type SimulatedDomain } from '../portfolio.ts';
import { randomFrom } from '../random.ts';
import { alterJson, type Protocol, type SimulatedAnswer, type SimulatedRequest, SimulatorServer } from '../server.ts';
import { Bare, type Call, type Customer, type Elsewhere, type State } from './call.ts';
import { changeCalls } from './change-calls.ts';
import { contactCalls } from './contact-calls.ts';
import { lookupCalls } from './lookup-calls.ts';
import { orderCalls, renewalCost } from './order-calls.ts';
import { masked, Parameters, Refused } from './parameters.ts';
import { type LogicBoxesSettings, strictSettings } from './settings.ts';

const calls: Readonly<Record<string, Call>> = { ...lookupCalls, ...orderCalls, ...changeCalls, ...contactCalls };
const loginKeys = ['auth-userid', 'api-key'];

/** An account at LogicBoxes, simulated from its public documents. */
export class LogicBoxesSimulator implements Protocol {
  readonly state: State;
  readonly server: SimulatorServer;
  /** Addresses that may call; all if absent. */
  allowed = true;
  #renewedAt = Number.NaN;

  private constructor(settings: LogicBoxesSettings, clock: SimulatorClock, wall: (() => number) | undefined) {
    const ledger = new Ledger(clock, settings.currency, settings.funds);
    const random = randomFrom(settings.seed);
    let next = 33_566_001;
    this.state = {
      settings,
      clock,
      ledger,
      portfolio: new Portfolio(clock, ledger, 90_000_001, 510_000_001),
      contacts: new Map(),
      customers: new Map(),
      elsewhere: new Map(),
      premium: new Map(),
      unknown: new Set(),
      nextId() {
        next += 1;
        return String(next);
      },
      code: () => `c${Math.floor(random() * 2 ** 40).toString(36)}A1!`,
    };
    this.server = new SimulatorServer(this, settings.limits, wall);
  }

  static async start(
    settings: Partial<LogicBoxesSettings> = {},
    clock = new SimulatorClock(),
    wall?: () => number,
  ): Promise<LogicBoxesSimulator> {
    const simulator = new LogicBoxesSimulator({ ...strictSettings, ...settings }, clock, wall);
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

  /** A customer of the account, as the panel creates one. */
  addCustomer(username: string): Customer {
    const id = this.state.nextId();
    const fields = {
      name: 'Account Owner',
      company: 'Example Hosting',
      'address-line-1': '1 Main Street',
      city: 'Springfield',
      country: 'US',
      zipcode: '12345',
      'phone-cc': '1',
      phone: '5555550100',
      'lang-pref': 'en',
    };
    const customer = { id, username, fields };
    this.state.customers.set(id, customer);
    return customer;
  }

  /** A domain that the account has had for a while: no order and no charge of ours. */
  addDomain(name: string, customer: string, values: Partial<SimulatedDomain> = {}): SimulatedDomain {
    const now = this.state.clock.now();
    const [createdAt, expiresAt] = [now - 100 * 86_400_000, now + 265 * 86_400_000];
    const authCode = this.state.code();
    return this.state.portfolio.enter({ name, customer, status: 'active', createdAt, expiresAt, authCode, ...values });
  }

  /** A domain that is registered elsewhere. */
  addElsewhere(name: string, values: Partial<Elsewhere> = {}): void {
    const expiresAt = this.state.clock.now() + 200 * 86_400_000;
    this.state.elsewhere.set(name, {
      sameRegistrar: false,
      authCode: 'Code-4711',
      locked: false,
      expiresAt,
      ...values,
    });
  }

  /** Differences between orders and money; none if they agree. */
  problems(): string[] {
    return moneyProblems(this.state.portfolio, this.state.ledger);
  }

  describe(request: SimulatedRequest) {
    const pairs = pairsOf(request);
    const parameters = new Parameters(pairs);
    const order = this.state.portfolio.domains.get(parameters.optional('order-id') ?? '');
    const domain = parameters.optional('domain-name')?.toLowerCase() ?? order?.name ?? '';
    return { call: callOf(request), domain, parameters: masked(pairs) };
  }

  carryOut(request: SimulatedRequest, fault: FaultRule | undefined): SimulatedAnswer {
    this.#renewExpired();
    try {
      return this.#show(this.#run(request, fault));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#refuse(error);
    }
  }

  refusal(message: string): SimulatedAnswer {
    return this.#refuse(new Refused(message));
  }

  alter(answer: SimulatedAnswer, fault: FaultRule): SimulatedAnswer {
    return answer.type.includes('json') ? alterJson(answer, fault) : answer;
  }

  #run(request: SimulatedRequest, fault: FaultRule | undefined): unknown {
    const { settings } = this.state;
    const parameters = new Parameters(pairsOf(request));
    if (!this.allowed) return { status: 403, type: 'text/plain', body: 'error code: 1020' } satisfies SimulatedAnswer;
    if (
      parameters.optional('auth-userid') !== settings.resellerId ||
      parameters.optional('api-key') !== settings.apiKey
    )
      throw new Refused('Invalid credentials, or your User account maybe Inactive or Suspended');
    const call = calls[callOf(request)];
    if (!call || !request.path.endsWith('.json')) throw new Refused(`Unknown call: ${request.path}`);
    const isTaken = call.method === request.method || (settings.postForQuestions && request.method === 'POST');
    if (!isTaken) throw new Refused(`${request.method} is not supported for ${request.path}`);
    for (const key of call.required) parameters.text(key);
    if (settings.form === 'strict') refuseUnknown(call, parameters);
    return call.run(this.state, parameters, fault);
  }

  #show(result: unknown): SimulatedAnswer {
    if (result instanceof Bare) return { status: 200, type: 'text/plain', body: result.text };
    if (isAnswer(result)) return result;
    return { status: 200, type: 'application/json', body: JSON.stringify(result) };
  }

  #refuse({ form, message }: Refused): SimulatedAnswer {
    const body = form === 'ERROR' ? { status: 'ERROR', message } : { status: 'error', error: message };
    return { status: this.state.settings.refusalStatus, type: 'application/json', body: JSON.stringify(body) };
  }

  #renewExpired(): void {
    const now = this.state.clock.now();
    if (now === this.#renewedAt) return;
    this.#renewedAt = now;
    this.state.portfolio.renewExpired((domain) => renewalCost(this.state, domain));
  }
}

const isAnswer = (result: unknown): result is SimulatedAnswer =>
  typeof result === 'object' && result !== null && 'body' in result && 'type' in result;

/** `/api/domains/search.json` is the call `domains/search`. */
const callOf = ({ path }: SimulatedRequest): string => path.replace(/^(\/[^/]+)?\/api\/|\.\w+$/g, '');

function pairsOf({ query, headers, body }: SimulatedRequest): [string, string][] {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return [...query, ...(isForm ? new URLSearchParams(body) : [])];
}

function refuseUnknown({ required, optional = [] }: Call, parameters: Parameters): void {
  const known = new Set([...loginKeys, ...required, ...optional]);
  const unknown = parameters.keys.find((key) => !known.has(key) && !/^attr-(name|value)\d+$/.test(key));
  if (unknown !== undefined) throw new Refused(`Unknown parameter: ${unknown}`);
}
