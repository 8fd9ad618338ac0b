import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clockFromFile } from '@namehold/base';
import { type Sandbox, startSandbox } from '@namehold/sandbox';
import { connectRegistry, type NewRegistry } from '../../packages/server/src/core/registries/connect.ts';
import { bundledProfile } from '../../packages/server/src/registries/profiles/bundled.ts';
import { readProfile } from '../../packages/server/src/registries/read-profile.ts';
import { offer, Seller } from '../namehold-upstream/chain.ts';
import { registryDatabase } from '../support/database.ts';
import { done, type OtherRegistrar, openOtherRegistrar } from '../support/other-registrar.ts';
import { startTestService, type TestService } from '../support/service.ts';

const centralNicSystem = 'centralnic-reseller';
/** Its own prices. */
export const centralNicCosts = `tld,action,years,currency,amount
org,create,1,USD,10.74\norg,renew,1,USD,10.74\norg,transfer,1,USD,10.74\norg,restore,1,USD,40.00
nl,create,1,USD,4.50\nnl,renew,1,USD,4.50\nnl,transfer,1,USD,4.50\nnl,restore,1,USD,40.00`;

interface StatementEntry {
  readonly kind: string;
  readonly command: string;
  readonly amount: string;
}

const systemOf = (sandbox: Sandbox) => sandbox.systems.find(({ name }) => name === centralNicSystem)!;

/** The bundled profile, with the address of the simulated HTTP API. */
function centralNicProfile(sandbox: Sandbox, more: Record<string, object> = {}): object {
  const file = JSON.parse(bundledProfile(centralNicSystem)!) as Record<string, object>;
  const limits = { commandsPerSecond: 1_000, sessions: 4, ...more.limits };
  const side = {
    url: `http://127.0.0.1:${systemOf(sandbox).http_port}/api/call.cgi`,
    rowsPerPage: 3,
    ...more.side,
  };
  const keysys = { ...file.keysys, renewsByMode: ['nl'], ...more.keysys };
  const timeouts = more.timeouts ? { timeouts: more.timeouts } : {};
  return { ...file, currency: more.currency ?? 'USD', limits, ...timeouts, keysys, side };
}

/** Settings of a registry for the sandbox registry as CentralNic Reseller. `more` overrides fields of the bundled profile. */
export function centralNicConnection(
  sandbox: Sandbox,
  tlds: readonly string[],
  more: Record<string, object> = {},
  password?: string,
): NewRegistry {
  const state = systemOf(sandbox);
  return {
    id: 'up',
    profile: readProfile(JSON.stringify(centralNicProfile(sandbox, more)), 'up'),
    host: sandbox.host,
    port: state.port,
    serverName: 'localhost',
    clientId: state.client_id,
    password: password ?? state.password,
    caPem: readFileSync(sandbox.caFile, 'utf8'),
    certificatePem: readFileSync(state.cert_file, 'utf8'),
    keyPem: readFileSync(state.key_file, 'utf8'),
    tlds,
    confirmsTlds: true,
  };
}

/** A call of the control interface. */
export async function sandboxControl<T>(sandbox: Sandbox, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${sandbox.controlPort}${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** The sandbox registry as CentralNic Reseller, with its HTTP API, and a service that sells its domains. */
export class CentralNicUpstream {
  readonly seller: Seller;
  readonly sandbox: Sandbox;
  readonly #skew: { ms: number };
  private constructor(seller: Seller, sandbox: Sandbox, skew: { ms: number }) {
    this.seller = seller;
    this.sandbox = sandbox;
    this.#skew = skew;
  }

  /** `more` overrides fields of the bundled profile. */
  static async open(tlds: readonly string[], more: Record<string, object> = {}): Promise<CentralNicUpstream> {
    const upstream = await CentralNicUpstream.started();
    await upstream.connect(tlds, more);
    await offer(upstream.t, tlds, centralNicCosts);
    return upstream;
  }

  /** Without a connection. */
  static async started(): Promise<CentralNicUpstream> {
    const t = await startTestService({ env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
    const { url } = await registryDatabase();
    const shared = clockFromFile(join(t.folder, 'clock'));
    const skew = { ms: 0 };
    const clock = { ...shared, now: () => new Date(shared.now().getTime() + skew.ms) };
    const sandbox = await startSandbox({ databaseUrl: url, folder: join(t.folder, 'upstream'), clock });
    return new CentralNicUpstream(Seller.of(t), sandbox, skew);
  }

  /** How far its clock differs from ours. */
  set skewMs(ms: number) {
    this.#skew.ms = ms;
  }

  get t(): TestService {
    return this.seller.t;
  }

  async connect(tlds: readonly string[], more: Record<string, object> = {}, password?: string): Promise<void> {
    await connectRegistry(this.t.ctx, centralNicConnection(this.sandbox, tlds, more, password));
    await this.t.service.parts.registries.reload('up');
  }

  /** Options and profile of `namehold registry add`. */
  forCommands() {
    const { port, client_id, password, cert_file, key_file } = systemOf(this.sandbox);
    const { host, caFile: ca } = this.sandbox;
    const tls = { 'server-name': 'localhost', ca, cert: cert_file, key: key_file };
    const way = { host, port: String(port), 'client-id': client_id, currency: 'USD', ...tls };
    return { way, secret: password, profile: centralNicProfile(this.sandbox) };
  }

  control<T>(method: string, path: string, body?: object): Promise<T> {
    return sandboxControl<T>(this.sandbox, method, path, body);
  }

  /** The next command of this kind meets the fault. */
  fault(kind: string, command: string, more: object = {}): Promise<unknown> {
    return this.control('POST', '/faults', { kind, commands: [command], limit: 1, how: 'close', ...more });
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  domain(name: string): Promise<any> {
    return this.control('GET', `/domains/${name}`);
  }

  /** Charges of our account there for a domain, in cents. */
  async charges(name: string): Promise<string[]> {
    const path = `/statement?client=nh-reseller&domain=${name}`;
    const { entries } = await this.control<{ entries: StatementEntry[] }>('GET', path);
    return entries.filter(({ kind }) => kind === 'charge').map(({ command, amount }) => `${command} ${amount}`);
  }

  /** The other registrar, which uses the default endpoint of the sandbox. */
  async asOtherRegistrar<T>(act: (other: OtherRegistrar) => Promise<T>): Promise<T> {
    const { host, port, caFile: ca_file, accounts } = this.sandbox;
    const other = openOtherRegistrar({ ...accounts[1]!, host, port, ca_file });
    try {
      return await act(other);
    } finally {
      await other.close();
    }
  }

  approve(name: string): Promise<unknown> {
    return this.asOtherRegistrar(async ({ registry }) => done(await registry.approveTransfer(name, {})));
  }

  async stop(): Promise<void> {
    await this.t.stop();
    await this.sandbox.stop();
  }
}
