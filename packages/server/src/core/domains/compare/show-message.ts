import { everyTenant } from '@namehold/base';
import { clearAlarm } from '../../alarms/alarm.ts';
import { notFound } from '../../errors.ts';
import type { House } from '../../house.ts';
import { findMessages } from './poll.sql.ts';
import { messageContext, namespaceKey, type StoredMessage, unreadableKey } from './poll-message.ts';

/** A registry's message as it came. Whoever was called to read it has done so: the alarm is over. */
export async function showMessage(house: House, registryId: string, messageId: string): Promise<readonly string[]> {
  const stored = await findMessages(house.db.as(everyTenant), registryId, messageId);
  if (stored.length === 0) throw notFound(`message ${messageId} of registry ${registryId}`);
  const messages = stored.map(
    ({ body_sealed }) =>
      JSON.parse(house.vault.open(body_sealed, messageContext(registryId, messageId))) as StoredMessage,
  );
  await clearAlarm(house, unreadableKey(registryId, messageId));
  for (const uri of messages.flatMap(({ unhandled = [] }) => unhandled))
    await clearAlarm(house, namespaceKey(registryId, uri));
  return messages.map(({ raw }) => raw);
}
