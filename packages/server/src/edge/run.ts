import { openDatabase } from '@namehold/base';
import { openWebIssuer } from '@namehold/sandbox/identity/web-issuer';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Log } from '../core/house.ts';
import { DatabaseLine } from '../nameservers/database-line.ts';
import { Certificates } from './certificates.ts';
import { RuleBook } from './rule-book.ts';
import { RuleFollower } from './rule-follower.ts';
import type { EdgeSettings } from './settings.ts';
import { serveWeb } from './web-server.ts';

export interface RunningEdge {
  readonly host: string;
  readonly port: number;
  /** HTTPS, and the CA that made its certificates. */
  readonly tls: { readonly port: number; readonly caFile: string } | undefined;
  /** True once every rule has been read. */
  isComplete(): boolean;
  stop(): Promise<void>;
}

const databaseConnections = 2;
const channel = 'namehold_forwarding';

/** The edge: answers from memory, and follows the database whenever that is there. */
export async function runEdge(settings: EdgeSettings, options: { log: Log; metrics: Registry }): Promise<RunningEdge> {
  const { log, metrics } = options;
  const registers = [metrics];
  const answers = new Counter({
    name: 'namehold_edge_answers_total',
    help: 'Web requests that the edge answered',
    labelNames: ['status'],
    registers,
  });
  const book = new RuleBook();
  const names = new Gauge({ name: 'namehold_edge_names', help: 'Names that the edge knows rules of', registers });
  const db = openDatabase({
    url: settings.databaseUrl,
    maxConnections: databaseConnections,
    applicationName: 'namehold-edge',
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  const follower = new RuleFollower(db, book, log);
  const line = new DatabaseLine({
    url: settings.databaseUrl,
    channels: [channel],
    log,
    lostSentence: 'the edge lost the database; rules are served from memory',
    onNotification: (_channel, payload) => follower.tell(payload),
    onUp: () => follower.restart(),
  });
  const watch = {
    isComplete: () => follower.isComplete,
    answered(status: number) {
      answers.labels(String(status)).inc();
      names.set(book.size);
    },
  };
  const stopFeed = async () => {
    await line.stop();
    await follower.stop();
    await db.close();
  };
  const issuer = settings.tls && (await openWebIssuer(settings.tls.folder));
  const certificates = issuer && new Certificates(book, issuer);
  const web = await serveWeb(book, settings, certificates, watch).catch(async (error: unknown) => {
    await stopFeed();
    throw error;
  });
  return {
    host: settings.host,
    port: web.port,
    tls: issuer && web.tlsPort !== undefined ? { port: web.tlsPort, caFile: issuer.caFile } : undefined,
    isComplete: () => follower.isComplete,
    async stop() {
      await web.close();
      await stopFeed();
    },
  };
}
