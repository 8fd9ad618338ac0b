import type { Tx } from '@namehold/postgres';
import { refuse } from '../registry/refusal.ts';
import type { Call } from '../registry/registry.ts';
import { lockHost } from './host.sql.ts';
import type { HostRecord } from './record.ts';

/** Locks the host. 2303 if it does not exist, 2201 if another registrar sponsors it. */
export async function lockOwnHost(tx: Tx, call: Call, name: string): Promise<HostRecord> {
  const host = await lockHost(tx, name);
  if (host === undefined) refuse(2303, `host ${name} does not exist`);
  if (host.sponsor !== call.clientId) refuse(2201, `host ${name} is another registrar's`);
  return host;
}
