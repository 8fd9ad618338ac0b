import type { ContactCheckRequest, ResponseSpec } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { takenHandles } from './contact.sql.ts';

/** RFC 5733 3.1.1. */
export async function checkContacts(call: Call, command: ContactCheckRequest): Promise<ResponseSpec> {
  if (command.ids.length > call.registry.endpoint.maxNamesPerCheck) {
    refuse(2004, `at most ${call.registry.endpoint.maxNamesPerCheck} ids a check`);
  }
  const taken = await takenHandles(call.registry.db.as(registryTenant), command.ids);
  const items = command.ids.map((id) => {
    if (taken.has(id)) return { id, available: false, reason: 'In use' };
    return isHandle(id) ? { id, available: true } : { id, available: false, reason: 'Invalid id' };
  });
  return { results: [{ code: 1000 }], data: { object: 'contact', type: 'chkData', items } };
}

/** RFC 5730 clIDType, without whitespace or markup inside. */
export const isHandle = (id: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{1,14}[A-Za-z0-9]$/.test(id);
