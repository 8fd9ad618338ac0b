import { type Database, openDatabase } from '@namehold/postgres';
import type { Log } from '../core/app-context.ts';
import { mailFeed } from '../core/mail-forwarding/feed.sql.ts';
import { MailRoutes, type RoutedDomainRow } from '../core/mail-forwarding/routes.ts';
import { DatabaseListener } from '../nameservers/database-listener.ts';
import { RowCopy } from '../nameservers/row-copy.ts';
import { RowFollower } from '../nameservers/row-follower.ts';

const databaseConnections = 2;
const channel = 'namehold_mail';

export interface FollowedRoutes {
  readonly routes: MailRoutes;
  /** The database, for other queries and counters of a mail host. */
  readonly db: Database;
  /** True once a copy or all routes are loaded; before that no address is known. */
  hasBegun(): boolean;
  /** True once every domain was read. Before that an unknown domain may exist. */
  isComplete(): boolean;
  stop(): Promise<void>;
}

/** Keeps routes in memory: first from the copy on disk, then from the database. */
export function followRoutes(options: {
  readonly databaseUrl: string;
  readonly log: Log;
  /** Path of the copy. Undefined: none. */
  readonly copyFile?: string | undefined;
  /** Gets mail for postmaster and abuse of domains without these addresses. */
  readonly operator?: string | undefined;
}): FollowedRoutes {
  const { databaseUrl: url, log, copyFile } = options;
  const routes = new MailRoutes(options.operator);
  const db = openDatabase({
    url,
    maxConnections: databaseConnections,
    applicationName: 'namehold-mx',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const follower = new RowFollower<RoutedDomainRow>({
    db,
    source: mailFeed,
    cache: routes,
    log,
    failureMessage: 'mail routes not read; serving the last known routes',
    copy: copyFile === undefined ? undefined : new RowCopy(copyFile),
  });
  const line = new DatabaseListener({
    url,
    channels: [channel],
    log,
    lostMessage: 'database unavailable; serving mail routes from memory',
    onNotification: (_channel, payload) => follower.notify(payload),
    onUp: () => follower.restart(),
  });
  return {
    routes,
    db,
    hasBegun: () => follower.hasBegun,
    isComplete: () => follower.isComplete,
    async stop() {
      await line.stop();
      await follower.stop();
      await db.close();
    },
  };
}
