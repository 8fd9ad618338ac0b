import type { Vault } from '@namehold/base';
import { allTenants, openDatabase } from '@namehold/postgres';
import type { Registry } from '@prometheus-io/client';
import type { Log } from '../core/app-context.ts';
import { keyContext } from '../core/certificates/certificate.ts';
import { proofPage } from '../core/certificates/order.sql.ts';
import { addClicks } from '../core/forwarding/clicks.sql.ts';
import { type ForwardedRow, forwardedFeed } from '../core/forwarding/feed.sql.ts';
import { CounterFlusher } from '../nameservers/counter-flusher.ts';
import { DatabaseListener } from '../nameservers/database-listener.ts';
import { RowCopy } from '../nameservers/row-copy.ts';
import { RowFollower } from '../nameservers/row-follower.ts';
import { AcmeChallengePages } from './acme-challenge-pages.ts';
import { Certificates } from './certificates.ts';
import { ClickCounter } from './click-counter.ts';
import { MissingCertificateQueue } from './missing-certificate-queue.ts';
import { type CachedCertificate, RuleCache } from './rule-cache.ts';
import type { EdgeSettings } from './settings.ts';
import { watchOf } from './watch.ts';
import { serveWeb } from './web-server.ts';

export interface RunningEdge {
  readonly host: string;
  readonly port: number;
  readonly tlsPort: number | undefined;
  /** True once every rule has been read. */
  isComplete(): boolean;
  stop(): Promise<void>;
}

const databaseConnections = 2;
const channel = 'namehold_forwarding';

interface EdgeOptions {
  readonly log: Log;
  readonly metrics: Registry;
  readonly vault: Pick<Vault, 'open'> | undefined;
  /** File to which rules and certificates are copied. */
  readonly copyFile?: string;
}

/** Runs an edge, which answers from memory and follows the database. */
export async function runEdge(settings: EdgeSettings, options: EdgeOptions): Promise<RunningEdge> {
  const { log, metrics, vault } = options;
  const cache = new RuleCache();
  const db = openDatabase({
    url: settings.databaseUrl,
    maxConnections: databaseConnections,
    applicationName: 'namehold-edge',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const follower = new RowFollower({
    db,
    source: forwardedFeed,
    cache,
    log,
    failureMessage: 'forwarding rules not read; serving the last known rules',
    copy: options.copyFile === undefined ? undefined : rulesOnDisk(options.copyFile),
  });
  const line = new DatabaseListener({
    url: settings.databaseUrl,
    channels: [channel],
    log,
    lostMessage: 'database unavailable; serving forwarding rules from memory',
    onNotification: (_channel, payload) => follower.notify(payload),
    onUp: () => follower.restart(),
  });
  const watch = watchOf(metrics, cache, () => follower.isComplete);
  const hellos = new MissingCertificateQueue(db, log);
  const stopFeed = async () => {
    hellos.stop();
    await line.stop();
    await follower.stop();
    await db.close();
  };
  const keyOf = (of: CachedCertificate) => vault!.open(of.encryptedKey, keyContext(of.id));
  const certificates = settings.tls && vault && new Certificates(cache, keyOf, (domainId) => hellos.add(domainId));
  const proofs = new AcmeChallengePages(cache, settings.mailHosts, (host, token) =>
    proofPage(db.as(allTenants), host, token),
  );
  const clicks = new ClickCounter();
  const web = await serveWeb({ cache, settings, certificates, proofs, clicks, watch }).catch(async (error: unknown) => {
    await stopFeed();
    throw error;
  });
  const flusher = new CounterFlusher({
    db,
    cache: clicks,
    store: addClicks,
    log,
    failureMessage: 'click counts not stored; will retry',
  });
  return {
    host: settings.host,
    port: web.port,
    tlsPort: web.tlsPort,
    isComplete: () => follower.isComplete,
    async stop() {
      await web.close();
      await flusher.stop();
      await stopFeed();
    },
  };
}

export const rulesOnDisk = (path: string): RowCopy<ForwardedRow> =>
  new RowCopy(path, (row) => ({ ...row, live_since: row.live_since && new Date(row.live_since) }));
