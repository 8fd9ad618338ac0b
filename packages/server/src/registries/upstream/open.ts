import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../core/app-context.ts';
import type { Registry } from '../../core/ports/registry.ts';
import { type RegistryRow, tldsOfRegistry } from '../../core/registries/registry.sql.ts';
import { databaseAccount } from '../account.ts';
import type { Breaker } from '../breaker.ts';
import { databaseConnectionLeases } from '../connection-leases.ts';
import { connectionSettings } from '../connection-settings.ts';
import { databaseJournal } from '../journal.ts';
import type { LoginAlarm } from '../login-alarm.ts';
import type { RegistryMetrics } from '../metrics.ts';
import { UpstreamAccount } from './account.ts';
import { dialectOf } from './dialects/index.ts';
import { upstreamRegistry } from './driver.ts';
import { databasePauses } from './pauses.ts';
import { storedUpstreamProfile } from './profile.ts';
import { RequestLimiter } from './request-limiter.ts';
import type { Upstream } from './upstream.ts';
import { openWire } from './wire.ts';

interface Around {
  readonly breaker: Breaker;
  readonly metrics: RegistryMetrics;
  readonly loginAlarm: LoginAlarm;
  /** Owner of the connection leases. */
  readonly owner: string;
}

/** Opens a connected upstream with its connection and journal. */
export async function openUpstream(
  ctx: AppContext,
  row: RegistryRow,
  { owner, ...around }: Around,
): Promise<{ upstream: Upstream; registry: Registry; close(): Promise<void> }> {
  const profile = storedUpstreamProfile(row.profile);
  const { endpoint, credentials } = connectionSettings(ctx, row);
  const dialect = dialectOf(profile, ctx.wall);
  await dialect.load?.();
  const login = { user: credentials.clID, secret: credentials.pw };
  const wire = openWire({ ...endpoint, login, sign: dialect.sign, read: dialect.read }, profile);
  const tlds = await tldsOfRegistry(ctx.db.as(allTenants), row.id);
  const { sessions, requestsPerMinute } = profile.limits;
  const limiter = new RequestLimiter({
    slots: databaseConnectionLeases(ctx, row.id, owner),
    account: databaseAccount(ctx, row.id, requestsPerMinute / 60),
    maxConcurrent: sessions,
  });
  const account = new UpstreamAccount({
    id: row.id,
    ctx,
    profile,
    dialect,
    wire,
    limiter,
    pauses: databasePauses(ctx, row.id),
    journal: databaseJournal(ctx, row.id),
    ...around,
  });
  const upstream: Upstream = { id: row.id, clientId: row.client_id, profile, dialect, account, ctx, tlds };
  const close = async () => {
    wire.close();
    await limiter.close();
  };
  return { upstream, registry: upstreamRegistry(upstream), close };
}
