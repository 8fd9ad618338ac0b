import type { HostInfoRequest, ResponseSpec } from '@namehold/epp';
import { readHostName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { findHost } from './host.sql.ts';
import { hostInfo } from './record.ts';

/** RFC 5732 3.1.2: name servers are public, so any registrar may query them. */
export async function infoHost(call: Call, command: HostInfoRequest): Promise<ResponseSpec> {
  const name = readHostName(command.name);
  const host = await findHost(call.registry.db.as(registryTenant), name);
  if (host === undefined) refuse(2303, `host ${name} does not exist`);
  return { results: [{ code: 1000 }], data: hostInfo(host) };
}
