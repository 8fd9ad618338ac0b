import { everyTenant, openDatabase, type Vault } from '@namehold/base';
import type { Registry } from '@prometheus-io/client';
import { keyContext } from '../core/certificates/certificate.ts';
import { proofPage } from '../core/certificates/order.sql.ts';
import { addClicks } from '../core/forwarding/clicks.sql.ts';
import { type ForwardedRow, forwardedFeed } from '../core/forwarding/feed.sql.ts';
import type { Log } from '../core/house.ts';
import { CountKeeper } from '../nameservers/count-keeper.ts';
import { DatabaseLine } from '../nameservers/database-line.ts';
import { RowCopy } from '../nameservers/row-copy.ts';
import { RowFollower } from '../nameservers/row-follower.ts';
import { Certificates } from './certificates.ts';
import { ClickBook } from './click-book.ts';
import { HelloQueue } from './hello-queue.ts';
import { ProofPages } from './proof-pages.ts';
import { type FedCertificate, RuleBook } from './rule-book.ts';
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

/** The edge: answers from memory, and follows the database whenever that is there. */
export async function runEdge(
  settings: EdgeSettings,
  options: {
    readonly log: Log;
    readonly metrics: Registry;
    readonly vault: Pick<Vault, 'open'> | undefined;
    /** Where rules and certificates are copied to. */
    readonly copyFile?: string;
  },
): Promise<RunningEdge> {
  const { log, metrics, vault } = options;
  const book = new RuleBook();
  const db = openDatabase({
    url: settings.databaseUrl,
    maxConnections: databaseConnections,
    applicationName: 'namehold-edge',
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  const follower = new RowFollower({
    db,
    feed: forwardedFeed,
    book,
    log,
    failedSentence: 'forwarding rules could not be read; they are served as they were',
    copy: options.copyFile === undefined ? undefined : rulesOnDisk(options.copyFile),
  });
  const line = new DatabaseLine({
    url: settings.databaseUrl,
    channels: [channel],
    log,
    lostSentence: 'the edge lost the database; rules are served from memory',
    onNotification: (_channel, payload) => follower.tell(payload),
    onUp: () => follower.restart(),
  });
  const watch = watchOf(metrics, book, () => follower.isComplete);
  const hellos = new HelloQueue(db, log);
  const stopFeed = async () => {
    hellos.stop();
    await line.stop();
    await follower.stop();
    await db.close();
  };
  const keyOf = (of: FedCertificate) => vault!.open(of.keySealed, keyContext(of.id));
  const certificates = settings.tls && vault && new Certificates(book, keyOf, (domainId) => hellos.add(domainId));
  const proofs = new ProofPages(book, settings.mailHosts, (host, token) => proofPage(db.as(everyTenant), host, token));
  const clicks = new ClickBook();
  const web = await serveWeb({ book, settings, certificates, proofs, clicks, watch }).catch(async (error: unknown) => {
    await stopFeed();
    throw error;
  });
  const keeper = new CountKeeper({
    db,
    book: clicks,
    store: addClicks,
    log,
    failedSentence: 'what visitors asked for could not be stored; it is tried again',
  });
  return {
    host: settings.host,
    port: web.port,
    tlsPort: web.tlsPort,
    isComplete: () => follower.isComplete,
    async stop() {
      await web.close();
      await keeper.stop();
      await stopFeed();
    },
  };
}

export const rulesOnDisk = (path: string): RowCopy<ForwardedRow> =>
  new RowCopy(path, (row) => ({ ...row, live_since: row.live_since && new Date(row.live_since) }));
