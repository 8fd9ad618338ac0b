import { createHash } from 'node:crypto';
import { SimulatorClock } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import { Ledger } from '../ledger.ts';
import { moneyProblems, Portfolio, type SimulatedDomain } from '../portfolio.ts';
import { randomFrom } from '../random.ts';
import { type Protocol, type SimulatedAnswer, type SimulatedRequest, SimulatorServer } from '../server.ts';
import { Attributes, type Call, type Elsewhere, pricesOf, Refused, type Reply, type State } from './call.ts';
import { changeCalls } from './change-calls.ts';
import { type OpsData, type OpsMap, readEnvelope, Unreadable, writeEnvelope } from './envelope.ts';
import { lookupCalls } from './lookup-calls.ts';
import { orderCalls } from './order-calls.ts';
import { type OpenSrsSettings, strictSettings } from './settings.ts';

const calls: Readonly<Record<string, Call>> = { ...lookupCalls, ...orderCalls, ...changeCalls };
const secretKeys = new Set(['reg_password', 'auth_info', 'domain_auth_info', 'cookie']);

/** An account at OpenSRS, simulated from its public documents. */
export class OpenSrsSimulator implements Protocol {
  readonly state: State;
  readonly server: SimulatorServer;
  /** Whether the caller's address is on the allow-list. */
  allowed = true;
  #renewedAt = Number.NaN;

  private constructor(settings: OpenSrsSettings, clock: SimulatorClock, wall: (() => number) | undefined) {
    const ledger = new Ledger(clock, settings.currency, settings.funds);
    const random = randomFrom(settings.seed);
    this.state = {
      settings,
      clock,
      ledger,
      portfolio: new Portfolio(clock, ledger, 1_000_001, 3_515_001),
      profiles: new Map(),
      elsewhere: new Map(),
      premium: new Map(),
      events: [],
      code: () => `o${Math.floor(random() * 2 ** 40).toString(36)}B2!`,
    };
    this.server = new SimulatorServer(this, settings.limits, wall);
  }

  static async start(
    settings: Partial<OpenSrsSettings> = {},
    clock = new SimulatorClock(),
    wall?: () => number,
  ): Promise<OpenSrsSimulator> {
    const simulator = new OpenSrsSimulator({ ...strictSettings, ...settings }, clock, wall);
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
    const { username } = this.state.settings;
    this.state.profiles.set(name, { username, password: this.state.code(), contactSet: {} });
    const authCode = this.state.code();
    return this.state.portfolio.enter({ name, customer: username, status: 'active', authCode, ...dates, ...values });
  }

  /** A domain that is registered elsewhere. */
  addElsewhere(name: string, values: Partial<Elsewhere> = {}): void {
    const expiresAt = this.state.clock.now() + 200 * 86_400_000;
    this.state.elsewhere.set(name, { authCode: 'Code-4711', locked: false, expiresAt, ...values });
  }

  /** Differences between orders and money; none if they agree. */
  problems(): string[] {
    return moneyProblems(this.state.portfolio, this.state.ledger);
  }

  describe({ body }: SimulatedRequest) {
    try {
      const data = readEnvelope(body);
      const attributes = attributesOf(data);
      return {
        call: callOf(data),
        domain: new Attributes(attributes).optional('domain')?.toLowerCase() ?? '',
        parameters: JSON.stringify(masked(attributes)),
      };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return { call: 'unreadable', domain: '', parameters: '' };
    }
  }

  carryOut(request: SimulatedRequest, fault: FaultRule | undefined): SimulatedAnswer {
    this.#renewExpired();
    try {
      return this.#answer(true, this.#run(request, fault));
    } catch (error) {
      if (error instanceof Refused) return this.#answer(false, { code: error.code, text: error.message });
      if (error instanceof Unreadable) return this.#answer(false, { code: 400, text: `Invalid XML: ${error.message}` });
      throw error;
    }
  }

  refusal(message: string): SimulatedAnswer {
    return this.#answer(false, { code: 465, text: message });
  }

  blocked(): SimulatedAnswer {
    return this.#answer(false, { code: 300, text: 'Exceeded max command rate' });
  }

  alter(answer: SimulatedAnswer, { kind, fields = [] }: FaultRule): SimulatedAnswer {
    // Every value is a text already.
    if (kind === 'numbers_as_text') return answer;
    return { ...answer, body: writeEnvelope(without(readEnvelope(answer.body), fields) as OpsMap) };
  }

  #run(request: SimulatedRequest, fault: FaultRule | undefined): Reply {
    const { username, key, form } = this.state.settings;
    if (!this.allowed) throw new Refused(400, 'Access denied: invalid IP address.');
    const signature = md5(md5(request.bytes, key), key);
    if (request.headers['x-username'] !== username || request.headers['x-signature'] !== signature)
      throw new Refused(410, 'Reseller authentication error.');
    if (request.method !== 'POST') throw new Refused(430, 'Invalid command.');
    if (form === 'strict' && !request.headers['content-type']?.startsWith('text/xml'))
      throw new Refused(430, 'Invalid command: Content-Type must be text/xml');
    const data = readEnvelope(request.body);
    if (data.protocol !== 'XCP') throw new Refused(430, 'Invalid command.');
    const call = calls[callOf(data)];
    if (!call) throw new Refused(430, `Invalid Command: ${callOf(data)}`);
    const attributes = new Attributes(attributesOf(data));
    for (const name of call.required)
      if (attributes.value(name) === undefined) throw new Refused(460, `Missing required field: ${name}`);
    const known = new Set([...call.required, ...(call.optional ?? [])]);
    const unknown = attributes.keys.find((name) => !known.has(name));
    if (form === 'strict' && unknown !== undefined)
      throw new Refused(465, `Invalid data: unknown attribute ${unknown}`);
    return call.run(this.state, attributes, fault);
  }

  #answer(isSuccess: boolean, { code = 200, text = 'Command Successful', attributes }: Reply): SimulatedAnswer {
    const body = writeEnvelope({
      protocol: 'XCP',
      action: 'REPLY',
      object: 'DOMAIN',
      is_success: isSuccess ? '1' : '0',
      response_code: String(code),
      response_text: text,
      ...(attributes ? { attributes } : {}),
    });
    return { status: 200, type: 'text/xml', body };
  }

  #renewExpired(): void {
    const now = this.state.clock.now();
    if (now === this.#renewedAt) return;
    this.#renewedAt = now;
    this.state.portfolio.renewExpired(({ name }) => pricesOf(this.state, name).renewal);
  }
}

const md5 = (data: Buffer | string, key: string): string => createHash('md5').update(data).update(key).digest('hex');

const callOf = ({ action, object }: OpsMap): string => `${action} ${object}`.toLowerCase();

function attributesOf({ attributes }: OpsMap): OpsMap {
  return typeof attributes === 'object' && !Array.isArray(attributes) ? attributes : {};
}

function masked(data: OpsData): OpsData {
  if (typeof data === 'string') return data;
  if (Array.isArray(data)) return data.map(masked);
  const keys = Object.keys(data).sort();
  return Object.fromEntries(keys.map((key) => [key, secretKeys.has(key) ? '***' : masked(data[key]!)]));
}

function without(data: OpsData, fields: readonly string[]): OpsData {
  if (typeof data === 'string') return data;
  if (Array.isArray(data)) return data.map((each) => without(each, fields));
  const kept = Object.entries(data).filter(([key]) => !fields.includes(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, without(value, fields)]));
}
