import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../test/support/ports.ts';

/** What happens to the next request whose path contains this. */
interface Fault {
  readonly path: string;
  /** `lost`: the request arrives, and its answer is lost. */
  readonly does: 'lost' | 'limited' | 'broken';
}

const startLimitMs = 300_000;
const binding = { keyId: 'kid-1', hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' };

interface PebbleOptions {
  readonly dnsPort: number;
  readonly httpPort: number;
  /** False: accepts every nonce and answers without delay. */
  readonly isPatient?: boolean;
}

/** Debian's Pebble, which refuses many nonces and is slow, behind a proxy that can drop answers. */
export class Pebble {
  readonly folder = mkdtempSync(join(tmpdir(), 'namehold-pebble-'));
  readonly faults: Fault[] = [];
  /** The suggested renewal window (RFC 9773), which Debian's Pebble lacks. Undefined: none. */
  renewal: { readonly start: string; readonly end: string } | undefined;
  /** Certificates whose renewal window was queried, and those that orders replaced. */
  readonly renewalsQueried: string[] = [];
  readonly replaced: string[] = [];
  #proxy: Server | undefined;
  #child: ChildProcess | undefined;
  #log = '';
  #ports = { proxy: 0, pebble: 0, management: 0 };
  readonly #at: PebbleOptions;

  constructor(at: PebbleOptions) {
    this.#at = at;
  }

  get settings(): Record<string, string> {
    return {
      NAMEHOLD_ACME_DIRECTORY: `https://localhost:${this.#ports.proxy}/dir`,
      NAMEHOLD_ACME_CA_FILE: join(this.folder, 'c.pem'),
      NAMEHOLD_ACME_EMAIL: 'hostmaster@operator.example',
      NAMEHOLD_ACME_EAB_KEY_ID: binding.keyId,
      NAMEHOLD_ACME_EAB_HMAC_KEY: binding.hmacKey,
      NAMEHOLD_ACME_CAA: 'pebble.example',
    };
  }

  /** Its CA serves as that of the second authority too. */
  get secondSettings(): Record<string, string> {
    return {
      NAMEHOLD_ACME_SECOND_DIRECTORY: this.settings.NAMEHOLD_ACME_DIRECTORY!,
      NAMEHOLD_ACME_SECOND_EAB_KEY_ID: binding.keyId,
      NAMEHOLD_ACME_SECOND_EAB_HMAC_KEY: binding.hmacKey,
      NAMEHOLD_ACME_SECOND_CAA: 'second.example',
    };
  }

  async open(): Promise<void> {
    const at = (name: string) => join(this.folder, name);
    const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
    execFileSync(
      'openssl',
      [...made, '-keyout', at('k.pem'), '-out', at('c.pem'), '-subj', '/CN=localhost', '-addext', names],
      { stdio: 'ignore' },
    );
    this.#ports = { proxy: await freePort(), pebble: await freePort(), management: await freePort() };
    this.#proxy = createServer(
      { cert: readFileSync(at('c.pem')), key: readFileSync(at('k.pem')) },
      (request, response) => this.#pass(request, response),
    );
    await new Promise<void>((resolve) => this.#proxy!.listen(this.#ports.proxy, '127.0.0.1', resolve));
    await this.start();
  }

  /** Restarts it without its state. */
  async start(): Promise<void> {
    const at = (name: string) => join(this.folder, name);
    const pebble = {
      listenAddress: `127.0.0.1:${this.#ports.pebble}`,
      managementListenAddress: `127.0.0.1:${this.#ports.management}`,
      certificate: at('c.pem'),
      privateKey: at('k.pem'),
      httpPort: this.#at.httpPort,
      tlsPort: 1,
      ocspResponderURL: '',
      externalAccountBindingRequired: true,
      externalAccountMACKeys: { [binding.keyId]: binding.hmacKey },
    };
    writeFileSync(at('p.json'), JSON.stringify({ pebble }));
    this.#log = '';
    const child = spawn('pebble', ['-strict', '-config', at('p.json'), '-dnsserver', `127.0.0.1:${this.#at.dnsPort}`], {
      env: {
        PATH: process.env.PATH,
        PEBBLE_AUTHZREUSE: '0',
        PEBBLE_ALTERNATE_ROOTS: '1',
        ...(this.#at.isPatient === false
          ? { PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_VA_NOSLEEP: '1' }
          : { PEBBLE_WFE_NONCEREJECT: '30', PEBBLE_VA_SLEEPTIME: '1' }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        this.#log += piece.toString();
      });
    this.#child = child;
    const isUp = () =>
      this.#fetch('GET', `https://localhost:${this.#ports.pebble}/dir`).then(
        () => true,
        () => false,
      );
    for (let waited = 0; !(await isUp()); waited += 20) {
      if (child.exitCode !== null || waited > startLimitMs) throw new Error(`pebble did not start: ${this.#log}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child!.once('exit', resolve));
    this.#child!.kill('SIGKILL');
    await ended;
  }

  /** A root that browsers trust: the default one, or that of another chain. */
  async rootFile(which = 0): Promise<string> {
    const root = await this.#fetch('GET', `https://localhost:${this.#ports.management}/roots/${which}`);
    const file = join(this.folder, 'root.pem');
    writeFileSync(file, root.body);
    return file;
  }

  count(what: RegExp): number {
    return [...this.#log.matchAll(new RegExp(what, 'g'))].length;
  }

  log(): string {
    return this.#log;
  }

  async close(): Promise<void> {
    this.#child?.kill('SIGKILL');
    this.#proxy?.closeAllConnections();
    await new Promise((resolve) => (this.#proxy ? this.#proxy.close(resolve) : resolve(undefined)));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #fetch(
    method: string,
    url: string,
    more: { headers?: IncomingMessage['headers']; body?: Buffer } = {},
  ): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const ca = readFileSync(join(this.folder, 'c.pem'));
      const sent = request(url, { method, ca, headers: more.headers ?? {} }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(pieces) }),
        );
      });
      sent.on('error', reject);
      sent.end(more.body);
    });
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const at = this.faults.findIndex((fault) => request.url!.includes(fault.path));
    const [fault] = at < 0 ? [] : this.faults.splice(at, 1);
    if (fault?.does === 'limited') {
      response.writeHead(429, { 'Content-Type': 'application/problem+json', 'Retry-After': '2' });
      return void response.end(JSON.stringify({ type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many' }));
    }
    if (fault?.does === 'broken') return void response.writeHead(503).end('<html>');
    if (request.url!.startsWith('/renewal/'))
      return this.#sendRenewal(request.url!.slice('/renewal/'.length), response);
    if (request.url === '/order-plz') this.#noteReplaced(Buffer.concat(pieces).toString());
    try {
      const url = `https://localhost:${this.#ports.pebble}${request.url}`;
      const got = await this.#fetch(request.method!, url, { headers: request.headers, body: Buffer.concat(pieces) });
      if (fault) return void response.destroy();
      if (request.url === '/dir') {
        const directory = {
          ...JSON.parse(got.body.toString()),
          renewalInfo: `https://localhost:${this.#ports.proxy}/renewal`,
        };
        return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(directory));
      }
      response.writeHead(got.status, got.headers).end(got.body);
    } catch {
      response.destroy();
    }
  }

  #sendRenewal(certificate: string, response: ServerResponse): void {
    this.renewalsQueried.push(certificate);
    if (!this.renewal) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'application/json', 'Retry-After': '21600' });
    response.end(JSON.stringify({ suggestedWindow: this.renewal }));
  }

  #noteReplaced(body: string): void {
    const { payload } = JSON.parse(body) as { payload: string };
    const { replaces } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { replaces?: string };
    if (replaces !== undefined && !this.replaced.includes(replaces)) this.replaced.push(replaces);
  }
}
