import { sql } from '@namehold/base';
import type { HostDeleteRequest, ResponseSpec } from '@namehold/epp';
import { readHostName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant, success } from '../registry/registry.ts';
import { refuseIfProhibited } from '../registry/status.ts';
import { lockOwnHost } from './record.ts';

/** RFC 5732 3.2.2. */
export async function deleteHost(call: Call, command: HostDeleteRequest): Promise<ResponseSpec> {
  await call.registry.db.transaction(registryTenant, async (tx) => {
    const host = await lockOwnHost(tx, call, readHostName(command.name));
    refuseIfProhibited(host.statuses, 'Delete');
    if (host.linked) refuse(2305, `host ${host.name} is linked`);
    await tx.run(sql`delete from host where id = ${host.id}`);
  });
  return success;
}
