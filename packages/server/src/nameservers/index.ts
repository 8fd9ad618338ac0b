import type { Registry } from '@prometheus-io/client';
import type { House } from '../core/house.ts';
import { forgetEmbedded, registerEmbedded } from '../core/nameservers/embedded.ts';
import { activeNameservers } from '../core/nameservers/list.ts';
import { nameserverChannel } from '../core/nameservers/nameserver.sql.ts';
import { DatabaseLine } from './database-line.ts';
import { createNameserverMetrics } from './metrics.ts';
import { PeerBook } from './primary/peer-book.ts';
import { startPrimary } from './primary/primary.ts';
import { Asker } from './publish/asker.ts';
import { Publisher } from './publish/publisher.ts';
import { startResponder } from './responder.ts';
import { ZoneFollower } from './zone-follower.ts';
import { ZoneStore } from './zone-store.ts';

export interface Nameservers {
  readonly dns: { readonly host: string; readonly port: number } | undefined;
  readonly primary: { readonly host: string; readonly port: number } | undefined;
  /** True once every zone is in memory. */
  readonly isComplete: () => boolean;
  stop(): Promise<void>;
}

export interface NameserversOptions {
  readonly databaseUrl: string;
  readonly metrics: Registry;
}

const zoneChannel = 'namehold_zone';
/** The process that holds it publishes; the number is ours alone. */
const publisherLock = 4_711_207_009;

/** The embedded nameserver, the hidden primary, and the publisher where this process is the one. */
export async function startNameservers(house: House, options: NameserversOptions): Promise<Nameservers> {
  const { config, log } = house;
  const store = new ZoneStore();
  const metrics = createNameserverMetrics(options.metrics, () => store.size);
  const peers = new PeerBook();
  peers.replace(await activeNameservers(house));
  const asker = new Asker(config.primaryHost);
  let publisher: Publisher | undefined;
  const follower = new ZoneFollower({
    db: house.db,
    store,
    log,
    onChanged: (heads) => publisher?.changed(heads),
  });
  const onError = (error: unknown) => log.warn({ err: error }, 'a nameserver socket failed');
  const dns =
    config.dnsPort === undefined
      ? undefined
      : await startResponder({
          host: config.dnsHost,
          port: config.dnsPort,
          zones: store.table,
          isComplete: () => follower.isComplete,
          count: (transport, rcode) => metrics.answered(transport, rcode),
          onError,
        });
  const primary =
    config.primaryPort === undefined
      ? undefined
      : await startPrimary({
          host: config.primaryHost,
          port: config.primaryPort,
          db: house.db,
          peers,
          catalogName: config.catalogZone,
          wall: house.wall,
          log,
          point: house.point,
          maxTransfers: Math.max(1, Math.floor(config.databaseConnections / 2)),
          count: (kind) => metrics.transferred(kind),
        });
  if (dns) await registerEmbedded(house, dns);
  const refresh = async () => {
    const nameservers = await activeNameservers(house);
    peers.replace(nameservers);
    await publisher?.setNameservers(nameservers);
  };
  const refreshLater = () => {
    refresh().catch((error: unknown) => log.warn({ err: error }, 'the list of nameservers could not be read'));
  };
  const line = new DatabaseLine({
    url: options.databaseUrl,
    channels: [zoneChannel, nameserverChannel],
    lockId: publisherLock,
    log,
    onNotification(channel, payload) {
      if (channel === zoneChannel) follower.tell(payload);
      else refreshLater();
    },
    onUp() {
      follower.restart();
      refreshLater();
    },
    onLock(isHeld) {
      const old = publisher;
      publisher = isHeld ? new Publisher({ house, asker, metrics, isLoaded: () => follower.isComplete }) : undefined;
      old?.stop().catch(onError);
      if (isHeld) refreshLater();
    },
  });
  return {
    dns: dns && { host: dns.host, port: dns.port },
    primary: primary && { host: primary.host, port: primary.port },
    isComplete: () => follower.isComplete,
    async stop() {
      if (dns) await forgetEmbedded(house, dns).catch(onError);
      const last = publisher;
      await line.stop();
      await last?.stop();
      await follower.stop();
      await Promise.all([dns?.close(), primary?.close(), asker.close()]);
    },
  };
}
