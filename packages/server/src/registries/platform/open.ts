import { everyTenant } from '@namehold/base';
import type { Registry } from '../../core/domains/registry/registry.ts';
import type { House } from '../../core/house.ts';
import { type RegistryRow, tldsOfRegistry } from '../../core/registries/registry.sql.ts';
import { databaseAccount } from '../account.ts';
import type { Breaker } from '../breaker.ts';
import { databaseJournal } from '../journal.ts';
import type { LoginAlarm } from '../login-alarm.ts';
import type { RegistryMetrics } from '../metrics.ts';
import { databaseSlots } from '../slots.ts';
import { wayIn } from '../way-in.ts';
import { PlatformAccount } from './account.ts';
import { platformRegistry } from './driver.ts';
import { databasePauses } from './pauses.ts';
import { storedPlatformProfile } from './profile.ts';
import { Turns } from './turns.ts';
import type { Upstream } from './upstream.ts';
import { openWire } from './wire.ts';

interface Around {
  readonly breaker: Breaker;
  readonly metrics: RegistryMetrics;
  readonly loginAlarm: LoginAlarm;
  /** Who holds the places that requests are sent from. */
  readonly owner: string;
}

/** An upstream platform that the operator connected, with its line and its journal. */
export async function openPlatform(
  house: House,
  row: RegistryRow,
  { owner, ...around }: Around,
): Promise<{ upstream: Upstream; registry: Registry; close(): Promise<void> }> {
  const profile = storedPlatformProfile(row.profile);
  const { endpoint, credentials } = wayIn(house, row);
  const wire = openWire({ ...endpoint, user: credentials.clID, secret: credentials.pw }, profile);
  const tlds = await tldsOfRegistry(house.db.as(everyTenant), row.id);
  const { sessions, requestsPerMinute } = profile.limits;
  const turns = new Turns({
    slots: databaseSlots(house, row.id, owner),
    account: databaseAccount(house, row.id, requestsPerMinute / 60),
    atOnce: sessions,
  });
  const account = new PlatformAccount({
    id: row.id,
    house,
    profile,
    wire,
    turns,
    pauses: databasePauses(house, row.id),
    journal: databaseJournal(house, row.id),
    ...around,
  });
  const upstream: Upstream = { id: row.id, clientId: row.client_id, profile, account, house, tlds };
  const close = async () => {
    wire.close();
    await turns.close();
  };
  return { upstream, registry: platformRegistry(upstream), close };
}
