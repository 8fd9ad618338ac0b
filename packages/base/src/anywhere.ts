import type pg from 'pg';
import { Place } from './hosts.ts';
import { type Alive, watchPulse } from './pulse.ts';
import { Replica } from './replica.ts';
import type { Sql } from './sql.ts';
import { everyTenant, type Tenant } from './tenant.ts';

export interface ReplicaSettings {
  readonly url: string;
  readonly everyTenantUrl: string;
  /** One that is further behind the primary is not waited for. */
  readonly waitMs: number;
  /** Asked before the first connection to each address: a pooler that mixes sessions up is no place to read at. */
  readonly prove: (address: string) => Promise<void>;
  readonly onAway?: (error: Error) => void;
}

/** Connections of one login at a standby. */
interface StandbyLane {
  readIf(tenant: Tenant, condition: Sql, statement: Sql): Promise<pg.QueryResult | undefined>;
  cut(): void;
  close(): Promise<void>;
}

interface Anywhere {
  /** Undefined: no standby is there that knows enough. */
  read(tenant: Tenant, statement: Sql): Promise<pg.QueryResult | undefined>;
  close(): Promise<void>;
}

/** The same logins and the same walls, at a server that only reads. Nobody waits for one that was not heard lately. */
export function openAnywhere(
  { url, everyTenantUrl, waitMs, prove, onAway }: ReplicaSettings,
  openLane: (place: Place, alive: Alive) => StandbyLane,
  primary: (statement: Sql) => Promise<pg.QueryResult>,
): Anywhere {
  const cut = () => {
    for (const each of [one, every]) each.cut();
  };
  const pulse = watchPulse(new Place(url, 'standby'), { onSilence: cut, onAway });
  const lane = (address: string) => openLane(new Place(address, 'standby', prove), (work) => pulse.guard(work));
  const [one, every] = [lane(url), lane(everyTenantUrl)];
  const replica = new Replica(primary, { waitMs, onAway });
  return {
    async read(tenant, statement) {
      if (!pulse.isHeard()) return undefined;
      const at = tenant === everyTenant ? every : one;
      return replica.read({ readIf: (condition, wanted) => at.readIf(tenant, condition, wanted) }, statement);
    },
    async close() {
      pulse.stop();
      await Promise.all([one.close(), every.close()]);
    },
  };
}
