import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type FaultRule, Faults, workFaults } from './faults.ts';
import { type Limit, type LoggedRequest, RequestLog } from './request-log.ts';

export interface SimulatedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** As it was sent: a signature is made of bytes. */
  readonly bytes: Buffer;
  readonly body: string;
}

export interface SimulatedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a dialect adds to the server. */
export interface Protocol {
  /** Parameters in a fixed order, without secrets. */
  describe(request: SimulatedRequest): { readonly call: string; readonly domain: string; readonly parameters: string };
  carryOut(request: SimulatedRequest, fault: FaultRule | undefined): SimulatedAnswer;
  refusal(message: string): SimulatedAnswer;
  /** The answer to a blocked account. Absent: the connection is closed. */
  blocked?(reason: string): SimulatedAnswer;
  /** Changes an answer without changing the work. */
  alter(answer: SimulatedAnswer, fault: FaultRule): SimulatedAnswer;
}

export interface Limits {
  readonly all?: Limit;
  readonly identical?: Limit;
}

export const maintenancePage =
  '<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1></body></html>';

/** The HTTP server of a simulated upstream, on loopback. It applies faults and limits, and records every request. */
export class SimulatorServer {
  readonly faults = new Faults();
  readonly log = new RequestLog();
  limits: Limits;
  /** Why the account is blocked. It stays so until a test sets it to undefined. */
  blockedBecause: string | undefined;
  /** The largest number of concurrent requests. */
  mostAtOnce = 0;
  #atOnce = 0;
  readonly #protocol: Protocol;
  readonly #wall: () => number;
  readonly #server: Server;

  constructor(protocol: Protocol, limits: Limits = {}, wall: () => number = () => performance.now()) {
    this.#protocol = protocol;
    this.limits = limits;
    this.#wall = wall;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.keepAliveTimeout = 60_000;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.faults.clear();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    try {
      await this.#answer(await readRequest(incoming), incoming, response);
    } catch (error) {
      // An error of the simulator itself must not look like an answer of the upstream.
      console.error('the simulator failed', error);
      incoming.socket.destroy();
    } finally {
      this.#atOnce -= 1;
    }
  }

  async #answer(request: SimulatedRequest, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const described = this.#protocol.describe(request);
    const logged: LoggedRequest = {
      ...described,
      method: request.method,
      at: this.#wall(),
      status: 'none',
      fault: undefined,
    };
    this.log.add(logged);
    if (this.#isBlocked()) {
      const answer = this.#protocol.blocked?.(this.blockedBecause!);
      logged.fault = 'blocked';
      return answer ? send(response, answer, logged) : void incoming.socket.destroy();
    }
    const fault = this.faults.choose(described.call, described.domain);
    logged.fault = fault?.kind;
    const answer = fault ? this.#withFault(request, fault) : this.#protocol.carryOut(request, undefined);
    if (fault?.kind === 'delayed') await this.faults.delay(fault);
    if (answer === 'none') return void incoming.socket.destroy();
    if (fault?.kind !== 'cut') return send(response, answer, logged);
    const half = answer.body.slice(0, Math.floor(answer.body.length / 2));
    response.writeHead(answer.status, {
      'Content-Type': answer.type,
      'Content-Length': Buffer.byteLength(answer.body) + 1,
    });
    response.write(half, () => incoming.socket.destroy());
  }

  #isBlocked(): boolean {
    const { all, identical } = this.limits;
    if (this.blockedBecause === undefined) {
      if (identical && this.log.exceeds(identical, true)) this.blockedBecause = 'too many identical calls';
      else if (all && this.log.exceeds(all, false)) this.blockedBecause = 'too many calls';
    }
    return this.blockedBecause !== undefined;
  }

  #withFault(request: SimulatedRequest, fault: FaultRule): SimulatedAnswer | 'none' {
    const { kind } = fault;
    if (kind === 'lost_before') return 'none';
    if (kind === 'error_before') return plainError;
    if (kind === 'maintenance') return { status: 200, type: 'text/html; charset=utf-8', body: maintenancePage };
    if (kind === 'refused') return this.#protocol.refusal(fault.message ?? 'Refused by a fault rule');
    const isOfWork = workFaults.some((each) => each === kind);
    const answer = this.#protocol.carryOut(request, isOfWork ? fault : undefined);
    if (kind === 'doubled') return this.#protocol.carryOut(request, undefined);
    if (kind === 'lost_after') return 'none';
    if (kind === 'error_after') return plainError;
    return kind === 'numbers_as_text' || kind === 'missing_fields' ? this.#protocol.alter(answer, fault) : answer;
  }
}

const plainError: SimulatedAnswer = { status: 500, type: 'text/html', body: '<h1>Internal Server Error</h1>' };

async function readRequest(incoming: IncomingMessage): Promise<SimulatedRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://simulator');
  const { method = '', headers } = incoming;
  return { method, path, query, headers, bytes, body: bytes.toString('utf8') };
}

function send(response: ServerResponse, answer: SimulatedAnswer, logged: LoggedRequest): void {
  logged.status = answer.status;
  const length = { 'Content-Type': answer.type, 'Content-Length': Buffer.byteLength(answer.body) };
  response.writeHead(answer.status, { ...answer.headers, ...length });
  response.end(answer.body);
}

/** `numbers_as_text` and `missing_fields` for JSON. */
export function alterJson(answer: SimulatedAnswer, { kind, fields = [] }: FaultRule): SimulatedAnswer {
  const body = JSON.parse(answer.body, (key, value: unknown) => {
    if (kind === 'missing_fields' && fields.includes(key)) return undefined;
    return kind === 'numbers_as_text' && typeof value === 'number' ? String(value) : value;
  });
  return { ...answer, body: JSON.stringify(body) };
}
