import type { HostDeleteRequest, ResponseSpec } from '@namehold/epp';
import { readHostName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant, success } from '../registry/registry.ts';
import { refuseIfProhibited } from '../registry/status.ts';
import { removeHost } from './host.sql.ts';
import { lockOwnHost } from './own.ts';

/** RFC 5732 3.2.2. */
export async function deleteHost(call: Call, command: HostDeleteRequest): Promise<ResponseSpec> {
  await call.registry.db.transaction(registryTenant, async (tx) => {
    const host = await lockOwnHost(tx, call, readHostName(command.name));
    refuseIfProhibited(host.statuses, 'Delete');
    if (host.linked) refuse(2305, `host ${host.name} is linked`);
    await removeHost(tx, host.id);
  });
  return success;
}
