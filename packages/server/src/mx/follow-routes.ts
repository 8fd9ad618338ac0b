import { type Database, openDatabase } from '@namehold/base';
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
  /** For what else a mail host asks or counts. */
  readonly db: Database;
  /** True once there is a copy or all of them: until then nothing is known of any address. */
  hasBegun(): boolean;
  /** True once every name has been read. Until then a name that is not known may still be ours. */
  isComplete(): boolean;
  stop(): Promise<void>;
}

/** Routes in memory: from the disk at first, and as the database has them whenever that is there. */
export function followRoutes(options: {
  readonly databaseUrl: string;
  readonly log: Log;
  /** Where they are copied to; undefined: nowhere. */
  readonly copyFile?: string | undefined;
  /** Gets mail for postmaster and abuse of names that send it nowhere. */
  readonly operator?: string | undefined;
}): FollowedRoutes {
  const { databaseUrl: url, log, copyFile } = options;
  const routes = new MailRoutes(options.operator);
  const db = openDatabase({
    url,
    maxConnections: databaseConnections,
    applicationName: 'namehold-mx',
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  const follower = new RowFollower<RoutedDomainRow>({
    db,
    source: mailFeed,
    cache: routes,
    log,
    failureMessage: 'mail routes could not be read; they are served as they were',
    copy: copyFile === undefined ? undefined : new RowCopy(copyFile),
  });
  const line = new DatabaseListener({
    url,
    channels: [channel],
    log,
    lostMessage: 'the mail host lost the database; routes are served from memory',
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
