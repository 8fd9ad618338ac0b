import { requireFreePort } from '@namehold/base';
import type { Registry } from '@prometheus-io/client';
import type { AppContext } from '../core/app-context.ts';
import { activeNameservers } from '../core/nameservers/list.ts';
import { nameserverChannel } from '../core/nameservers/nameserver.sql.ts';
import { takesTransfers } from '../core/nameservers/nameserver.ts';
import { DatabaseListener } from './database-listener.ts';
import { FollowedHeads } from './followed-heads.ts';
import { createNameserverMetrics, type NameserverMetrics } from './metrics.ts';
import { startPrimary } from './primary/primary.ts';
import { TransferAcl } from './primary/transfer-acl.ts';
import { DnsClient } from './publish/dns-client.ts';
import { Publisher } from './publish/publisher.ts';
import { zoneChannel } from './responder/run.ts';
import type { Endpoint } from './sockets/endpoint.ts';
import { ZoneFollower } from './zone-follower.ts';

export interface Nameservers {
  /** Listens once a nameserver uses zone transfers. */
  readonly primary: () => { readonly host: string; readonly port: number } | undefined;
  stop(): Promise<void>;
}

interface NameserversOptions {
  readonly databaseUrl: string;
  readonly metrics: Registry;
  /** Another channel on the same connection. */
  readonly also: { readonly channel: string; received(payload: string): void };
}

/** Id of the advisory lock of the publishing process. */
const publisherLock = 4_711_207_009;

/** The hidden primary, and the publisher if this process holds the lock. The public nameserver is a separate process. */
export async function startNameservers(ctx: AppContext, options: NameserversOptions): Promise<Nameservers> {
  const { config, log } = ctx;
  const metrics = createNameserverMetrics(options.metrics);
  const acl = new TransferAcl();
  const dnsClient = new DnsClient(config.primaryHost);
  let primary: Endpoint | undefined;
  let publishing: Publishing | undefined;
  const onError = (error: unknown) => log.warn({ err: error }, 'nameserver socket failed');
  const read = async () => {
    const nameservers = await activeNameservers(ctx);
    acl.replace(nameservers);
    if (!primary && config.primaryPort !== undefined && nameservers.some(takesTransfers))
      primary = await openPrimary(ctx, { acl, metrics, port: config.primaryPort });
    await publishing?.publisher.setNameservers(nameservers);
  };
  const reading = new CoalescingRunner(read, (error) => log.warn({ err: error }, 'nameservers not reloaded'));
  await reading.last;
  const line = new DatabaseListener({
    url: options.databaseUrl,
    channels: [zoneChannel, nameserverChannel, options.also.channel],
    lockId: publisherLock,
    log,
    onNotification(channel, payload) {
      if (channel === options.also.channel) options.also.received(payload);
      else if (channel === zoneChannel) publishing?.follower.notify(payload);
      else reading.again();
    },
    onUp() {
      reading.again();
    },
    onLock(isHeld) {
      const old = publishing;
      publishing = isHeld ? beginPublishing(ctx, dnsClient, metrics) : undefined;
      old?.stop().catch(onError);
      if (isHeld) reading.again();
    },
  });
  return {
    primary: () => primary && { host: primary.host, port: primary.port },
    async stop() {
      const ending = publishing;
      await line.stop();
      await reading.last.catch(() => undefined);
      await ending?.stop();
      await Promise.all([primary?.close(), dnsClient.close()]);
    },
  };
}

interface Publishing {
  readonly publisher: Publisher;
  readonly follower: ZoneFollower;
  stop(): Promise<void>;
}

/** Zone changes are read only by the publishing process, which keeps the load independent of the number of processes. */
function beginPublishing(ctx: AppContext, dnsClient: DnsClient, metrics: NameserverMetrics): Publishing {
  const publisher = new Publisher({ ctx, dnsClient, metrics, isLoaded: () => follower.isComplete });
  const follower = new ZoneFollower({
    db: ctx.db,
    zones: new FollowedHeads(),
    log: ctx.log,
    onChanged: (heads) => publisher.changed(heads),
  });
  return {
    publisher,
    follower,
    async stop() {
      await publisher.stop();
      await follower.stop();
    },
  };
}

/** Notifications during a read cause one more read, and the primary is opened once. */
class CoalescingRunner {
  last: Promise<void>;
  readonly #work: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #isWaiting = false;

  constructor(work: () => Promise<void>, onError: (error: unknown) => void) {
    this.#work = work;
    this.#onError = onError;
    this.last = work();
  }

  again(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.last = this.last
      .catch(() => undefined)
      .then(() => {
        this.#isWaiting = false;
        return this.#work();
      });
    this.last.catch(this.#onError);
  }
}

async function openPrimary(
  ctx: AppContext,
  { acl, metrics, port }: { acl: TransferAcl; metrics: NameserverMetrics; port: number },
): Promise<Endpoint> {
  const { config } = ctx;
  const host = config.primaryHost;
  await requireFreePort({ host, port, setting: 'NAMEHOLD_PRIMARY_PORT', protocols: ['tcp', 'udp'] });
  return startPrimary({
    host,
    port,
    db: ctx.db,
    acl,
    catalogName: config.catalogZone,
    wall: ctx.wall,
    log: ctx.log,
    failpoint: ctx.failpoint,
    maxTransfers: Math.max(1, Math.floor(config.databaseConnections / 2)),
    count: (kind) => metrics.transferred(kind),
  });
}
