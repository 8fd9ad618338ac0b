import { allTenants } from '@namehold/postgres';
import { clearAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import { notFound } from '../../errors.ts';
import { findMessages } from './poll.sql.ts';
import { messageContext, namespaceKey, type StoredMessage, unreadableKey } from './poll-message.ts';

/** A registry's message as received. Reading it clears the alarm that requested the reading. */
export async function showMessage(ctx: AppContext, registryId: string, messageId: string): Promise<readonly string[]> {
  const stored = await findMessages(ctx.db.as(allTenants), registryId, messageId);
  if (stored.length === 0) throw notFound(`message ${messageId} of registry ${registryId}`);
  const messages = stored.map(
    ({ body_sealed }) =>
      JSON.parse(ctx.vault.open(body_sealed, messageContext(registryId, messageId))) as StoredMessage,
  );
  await clearAlarm(ctx, unreadableKey(registryId, messageId));
  for (const uri of messages.flatMap(({ unhandled = [] }) => unhandled))
    await clearAlarm(ctx, namespaceKey(registryId, uri));
  return messages.map(({ raw }) => raw);
}
