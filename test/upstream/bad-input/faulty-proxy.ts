import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type FaultRule, Faults } from '../simulators/faults.ts';
import { alterJson, maintenancePage } from '../simulators/server.ts';

/** A refusal that the proxy answers in place of the upstream: the message of a fault rule of the kind `refused`. */
export const refusalOf = (status: number, body: object): string => JSON.stringify({ status, body });

/** Stands before an upstream that is no simulator, and spoils answers. A call is named `POST /v1/domains`. */
export class FaultyProxy {
  readonly faults = new Faults();
  readonly requests: { readonly call: string; readonly body: string }[] = [];
  readonly #target: number;
  readonly #server: Server;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(target: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString('utf8');
    const { method = '', url = '/' } = incoming;
    const { pathname, searchParams } = new URL(url, 'http://proxy');
    const call = `${method} ${pathname}`;
    this.requests.push({ call, body });
    const fault = this.faults.choose(call, domainIn(searchParams, body));
    if (fault?.kind === 'lost_before') return void incoming.socket.destroy();
    if (fault?.kind === 'maintenance')
      return void response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(maintenancePage);
    if (fault?.kind === 'refused') {
      const refusal = JSON.parse(fault.message!) as { status: number; body: object };
      return void response.writeHead(refusal.status, json).end(JSON.stringify(refusal.body));
    }
    const answer = await this.#forward(incoming, url, body).catch(() => undefined);
    if (!answer || fault?.kind === 'lost_after') return void incoming.socket.destroy();
    response.writeHead(answer.status, { 'Content-Type': answer.type }).end(altered(answer, fault));
  }

  async #forward({ method = 'GET', headers }: IncomingMessage, url: string, body: string) {
    const { host: _, connection: _1, 'content-length': _2, ...kept } = headers;
    const given = Object.entries(kept).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []));
    const answer = await fetch(`http://127.0.0.1:${this.#target}${url}`, {
      method,
      headers: Object.fromEntries(given),
      redirect: 'manual',
      ...(body === '' ? {} : { body }),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    return { status: answer.status, type, body: await answer.text() };
  }
}

const json = { 'Content-Type': 'application/json' };

const altered = (answer: { status: number; type: string; body: string }, fault: FaultRule | undefined): string =>
  (fault?.kind === 'numbers_as_text' || fault?.kind === 'missing_fields') && answer.type.includes('json')
    ? alterJson(answer, fault).body
    : answer.body;

function domainIn(query: URLSearchParams, body: string): string {
  const form = new URLSearchParams(body);
  return query.get('domain_name') ?? query.get('domain') ?? form.get('domain_name') ?? '';
}
