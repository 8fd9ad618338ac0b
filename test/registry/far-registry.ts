import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('server.py', import.meta.url));

/** A line of the registry's own statement of charges. */
interface StatementLine {
  readonly id: number;
  readonly at: string;
  readonly kind: 'charge' | 'refund' | 'deposit';
  readonly command: string;
  readonly domain: string;
  readonly cents: number;
  readonly cltrid: string;
  readonly svtrid: string;
}

interface Noted {
  readonly id: number;
  readonly ms: number;
  readonly session: number;
  readonly way: string;
  readonly frame: string;
}

interface Fault {
  /** `domain:create`, `poll`, `*`. */
  readonly on: string;
  /** `hold`: until `release`. */
  readonly do: 'cut' | 'delay' | 'hold' | 'drop' | 'silence';
  readonly at?: number;
  readonly ms?: number;
  readonly times?: number;
}

/** Both registrars of the far registry: ours, and the other one for transfers. */
export const accounts = { ours: { id: 'us-1', password: 'Far.4711' }, other: { id: 'other-1', password: 'Far.0815' } };

/** The registry in another language (server.py), as a process that ends with this one. */
export class FarRegistry {
  readonly #child: ChildProcess;
  readonly port: number;
  readonly ca: string;
  readonly controlUrl: string;

  private constructor(child: ChildProcess, said: { port: number; control_port: number; ca: string }) {
    this.#child = child;
    this.port = said.port;
    this.ca = said.ca;
    this.controlUrl = `http://127.0.0.1:${said.control_port}`;
  }

  static async start(
    tlds: readonly string[],
    capabilities: Record<string, string | number | boolean> = {},
  ): Promise<FarRegistry> {
    const options = [
      ...tlds.flatMap((tld) => ['--tld', tld]),
      ...Object.values(accounts).flatMap(({ id, password }) => ['--client', `${id}:${password}`]),
      ...Object.entries(capabilities).flatMap(([name, value]) => ['--capability', `${name}=${value}`]),
    ];
    // -B: Python writes no cache files beside the sources.
    const child = spawn('/usr/bin/python3', ['-B', program, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout! });
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [string | number];
    if (typeof line !== 'string') throw new Error(`the far registry did not start: ${line}`);
    return new FarRegistry(child, JSON.parse(line));
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async #ask(path: string, json?: unknown): Promise<any> {
    const response = await fetch(`${this.controlUrl}${path}`, {
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
    });
    if (!response.ok) throw new Error(`the far registry: ${path} answered ${response.status}`);
    return response.json();
  }

  async statement(client: string): Promise<StatementLine[]> {
    return (await this.#ask(`/statement?client=${client}`)).lines;
  }

  /** The registry's state of a domain; undefined if it is available. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async name(name: string): Promise<any> {
    const found = await this.#ask(`/name?name=${name}`);
    return found.sponsor === undefined ? undefined : found;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  async contact(id: string): Promise<any> {
    const found = await this.#ask(`/contact?id=${id}`);
    return found.sponsor === undefined ? undefined : found;
  }

  async contactIds(client: string): Promise<string[]> {
    return (await this.#ask(`/contacts?client=${client}`)).ids;
  }

  /** The registry deletes a contact although domains use it. */
  async loseContact(id: string): Promise<void> {
    await this.#ask('/lose-contact', { id });
  }

  async log(after = 0): Promise<Noted[]> {
    return (await this.#ask(`/log?after=${after}`)).log;
  }

  async waiting(client: string): Promise<string[]> {
    return (await this.#ask(`/messages?client=${client}`)).messages;
  }

  async pendingFaults(): Promise<Fault[]> {
    return (await this.#ask('/faults')).waiting;
  }

  async fault(fault: Fault): Promise<void> {
    await this.#ask('/faults', fault);
  }

  /** Raises the registry's price of this domain, as registries do with premium domains. */
  async makePremium(name: string): Promise<void> {
    await this.#ask('/premium', { name });
  }

  async release(): Promise<void> {
    await this.#ask('/release', {});
  }

  async capabilities(change: Record<string, string | number | boolean>): Promise<void> {
    await this.#ask('/capabilities', change);
  }

  /** A raw message for a registrar: `data` is any XML for its resData. */
  async tell(client: string, text: string, data = ''): Promise<void> {
    await this.#ask('/messages', { client, text, data });
  }

  /** Adds money to a registrar's account, or removes it. */
  async pay(client: string, cents: number): Promise<void> {
    await this.#ask('/pay', { client, cents });
  }

  async moveClock(ms: number): Promise<void> {
    await this.#ask('/clock', { seconds: ms / 1000 });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.stdin!.end();
    await gone;
  }
}
