import type pg from 'pg';
import { type AliveGuard, watchHeartbeat } from './heartbeat.ts';
import { ServerLocator } from './hosts.ts';
import { Replica } from './replica.ts';
import type { Sql } from './sql.ts';
import { allTenants, type Tenant } from './tenant.ts';

export interface ReplicaSettings {
  readonly url: string;
  readonly allTenantsUrl: string;
  /** One that is further behind the primary is not waited for. */
  readonly waitMs: number;
  /** Asked before the first connection to each address: a pooler that mixes sessions up is no place to read at. */
  readonly verify: (address: string) => Promise<void>;
  readonly onUnavailable?: (error: Error) => void;
}

/** Connections of one login at a standby. */
interface StandbyPool {
  readIf(tenant: Tenant, condition: Sql, statement: Sql): Promise<pg.QueryResult | undefined>;
  cut(): void;
  close(): Promise<void>;
}

interface ReplicaReads {
  /** Undefined: no standby is there that knows enough. */
  read(tenant: Tenant, statement: Sql): Promise<pg.QueryResult | undefined>;
  close(): Promise<void>;
}

/** The same logins and the same walls, at a server that only reads. Nobody waits for one that was not heard lately. */
export function openReplicaReads(
  { url, allTenantsUrl, waitMs, verify, onUnavailable }: ReplicaSettings,
  openPool: (place: ServerLocator, alive: AliveGuard) => StandbyPool,
  primary: (statement: Sql) => Promise<pg.QueryResult>,
): ReplicaReads {
  const cut = () => {
    for (const each of [one, every]) each.cut();
  };
  const pulse = watchHeartbeat(new ServerLocator(url, 'standby'), { onUnresponsive: cut, onUnavailable });
  const pool = (address: string) =>
    openPool(new ServerLocator(address, 'standby', verify), (work) => pulse.guard(work));
  const [one, every] = [pool(url), pool(allTenantsUrl)];
  const replica = new Replica(primary, { waitMs, onUnavailable });
  return {
    async read(tenant, statement) {
      if (!pulse.isResponding()) return undefined;
      const at = tenant === allTenants ? every : one;
      return replica.read({ readIf: (condition, wanted) => at.readIf(tenant, condition, wanted) }, statement);
    },
    async close() {
      pulse.stop();
      await Promise.all([one.close(), every.close()]);
    },
  };
}
