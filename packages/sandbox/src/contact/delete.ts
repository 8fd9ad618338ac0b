import type { ContactDeleteRequest, ResponseSpec } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant, success } from '../registry/registry.ts';
import { refuseIfProhibited } from '../registry/status.ts';
import { removeContact } from './contact.sql.ts';
import { lockOwnContact } from './own.ts';

/** RFC 5733 3.2.2. */
export async function deleteContact(call: Call, command: ContactDeleteRequest): Promise<ResponseSpec> {
  await call.registry.db.transaction(registryTenant, async (tx) => {
    const contact = await lockOwnContact(tx, call, command.id);
    if (contact.transferPending) refuse(2304, 'pendingTransfer');
    refuseIfProhibited(contact.statuses, 'Delete');
    if (contact.linked) refuse(2305, `contact ${command.id} is linked`);
    await removeContact(tx, contact.id);
  });
  return success;
}
