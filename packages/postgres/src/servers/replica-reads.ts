import type pg from 'pg';
import type { Sql } from '../sql/sql.ts';
import { allTenants, type Tenant } from '../tenants/tenant.ts';
import { type AliveGuard, watchHeartbeat } from './heartbeat.ts';
import { ServerLocator } from './hosts.ts';
import { Replica } from './replica.ts';

export interface ReplicaSettings {
  readonly url: string;
  readonly allTenantsUrl: string;
  /** How long to wait for a standby to catch up. One that is further behind is not used. */
  readonly waitMs: number;
  /** Runs before the first connection to each address: a pooler that mixes sessions is not safe for reads. */
  readonly verify: (address: string) => Promise<void>;
  readonly onUnavailable?: (error: Error) => void;
}

/** The connections of one login to a standby. */
interface StandbyPool {
  readIf(tenant: Tenant, condition: Sql, statement: Sql): Promise<pg.QueryResult | undefined>;
  cut(): void;
  close(): Promise<void>;
}

interface ReplicaReads {
  /** Undefined: no standby is recent enough. */
  read(tenant: Tenant, statement: Sql): Promise<pg.QueryResult | undefined>;
  close(): Promise<void>;
}

/** Uses the same logins and the same isolation as the primary. A standby without a recent heartbeat is not used. */
export function openReplicaReads(
  { url, allTenantsUrl, waitMs, verify, onUnavailable }: ReplicaSettings,
  openPool: (place: ServerLocator, alive: AliveGuard) => StandbyPool,
  primary: (statement: Sql) => Promise<pg.QueryResult>,
): ReplicaReads {
  const cut = () => {
    for (const each of [one, every]) each.cut();
  };
  const heartbeat = watchHeartbeat(new ServerLocator(url, 'standby'), { onUnresponsive: cut, onUnavailable });
  const pool = (address: string) =>
    openPool(new ServerLocator(address, 'standby', verify), (work) => heartbeat.guard(work));
  const [one, every] = [pool(url), pool(allTenantsUrl)];
  const replica = new Replica(primary, { waitMs, onUnavailable });
  return {
    async read(tenant, statement) {
      if (!heartbeat.isResponding()) return undefined;
      const at = tenant === allTenants ? every : one;
      return replica.read({ readIf: (condition, wanted) => at.readIf(tenant, condition, wanted) }, statement);
    },
    async close() {
      heartbeat.stop();
      await Promise.all([one.close(), every.close()]);
    },
  };
}
