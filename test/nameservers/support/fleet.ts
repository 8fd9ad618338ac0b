import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query, RCODE, reply } from '@namehold/dns';
import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import type { QueryTarget } from '../../../packages/server/src/nameservers/publish/dns-client.ts';
import { freePort } from '../../support/ports.ts';
import { askAgainMs, askUdp, summary, until } from './ask.ts';
import { bind, knot, type NsdPeer, nsd, powerdns } from './engines.ts';
import { Lab } from './lab.ts';
import type { Peer } from './peer.ts';

const silence = reply(query(0, '.', 'A'), RCODE.SERVFAIL);

/** A PostgreSQL that a test can stop, the service, its nameservers as a process, and Debian's four nameservers as secondaries. */
export class Fleet {
  readonly postgresFolder: string;
  cluster: Cluster;
  readonly lab: Lab;
  readonly primaryPort: number;
  readonly knot: Peer;
  readonly bind: Peer;
  readonly nsd: NsdPeer;
  readonly powerdns: Peer;

  private constructor(
    made: Pick<Fleet, 'postgresFolder' | 'cluster' | 'lab' | 'primaryPort' | 'knot' | 'bind' | 'nsd' | 'powerdns'>,
  ) {
    this.postgresFolder = made.postgresFolder;
    this.cluster = made.cluster;
    this.lab = made.lab;
    this.primaryPort = made.primaryPort;
    this.knot = made.knot;
    this.bind = made.bind;
    this.nsd = made.nsd;
    this.powerdns = made.powerdns;
  }

  /** `isDurable`: the database writes to disk as in production; tests need not. */
  static async start(env: Record<string, string> = {}, isDurable = false): Promise<Fleet> {
    const postgresFolder = mkdtempSync(join(tmpdir(), 'namehold-fleet-'));
    const cluster = await openFleetCluster(postgresFolder, isDurable);
    try {
      await ensureDatabase(cluster, 'namehold');
      const fleet = await Fleet.#gather(postgresFolder, cluster, env);
      await Promise.all(fleet.peers.map((peer) => peer.start()));
      return fleet;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  static async #gather(postgresFolder: string, cluster: Cluster, env: Record<string, string>): Promise<Fleet> {
    // Fixed ports: the service returns on the same ones.
    const primaryPort = await freePort();
    const lab = await Lab.start(cluster.url('namehold'), {
      NAMEHOLD_PORT: String(await freePort()),
      NAMEHOLD_PRIMARY_PORT: String(primaryPort),
      NAMEHOLD_REDIRECT_PORT: 'off',
      NAMEHOLD_DNS_PORT: String(await freePort()),
      ...env,
    });
    return new Fleet({
      postgresFolder,
      cluster,
      lab,
      primaryPort,
      knot: await knot(lab, primaryPort),
      bind: await bind(lab, primaryPort),
      nsd: await nsd(lab, primaryPort),
      powerdns: await powerdns(lab, primaryPort),
    });
  }

  get peers(): Peer[] {
    return [this.knot, this.bind, this.nsd, this.powerdns];
  }

  get servers(): (QueryTarget & { id: string })[] {
    return [this.lab.embedded, ...this.peers];
  }

  async stopPostgres(): Promise<void> {
    await this.cluster.stop();
  }

  async startPostgres(): Promise<void> {
    this.cluster = await openFleetCluster(this.postgresFolder);
  }

  /** Waits until every server answers as expected. */
  async allAnswer(name: string, type: string, wanted: string, servers = this.servers): Promise<void> {
    await Promise.all(
      servers.map((server) =>
        until(
          `${server.id}: ${name} ${type}`,
          async () => summary((await askUdp(server, name, type, askAgainMs)) ?? silence),
          (found) => found === wanted,
          60_000,
        ).catch((error: Error) => {
          const log = this.peers.find((peer) => peer.id === server.id)?.log() ?? '';
          throw new Error(`${error.message}\n${log}`);
        }),
      ),
    );
  }

  async allHaveSerial(zone: string, serial: number, servers = this.servers): Promise<void> {
    await Promise.all(
      servers.map((server) =>
        until(
          `${server.id}: serial ${serial} of ${zone}`,
          async () => summary((await askUdp(server, zone, 'SOA', askAgainMs)) ?? silence),
          (found) => found.includes(` ${serial} `),
          60_000,
        ),
      ),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.peers.map((peer) => peer.stop()));
    await this.lab.close();
    await this.cluster.stop();
    rmSync(this.postgresFolder, { recursive: true, force: true });
  }
}

function openFleetCluster(folder: string, isDurable = false): Promise<Cluster> {
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  return openCluster({ folder, ...(isDurable ? {} : { settings: fast }) });
}
