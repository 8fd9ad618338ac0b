import type { MessageQueue } from '@namehold/epp';
import type { Database } from '@namehold/postgres';
import { registryTenant } from '../registry/registry.ts';
import { countMessages } from './poll.sql.ts';

/** RFC 5730 2.6: every answer reports waiting messages. The count is queried only after it changed. */
export interface MessageCounts {
  waiting(clientId: string): Promise<MessageQueue | undefined>;
  changed(clientId: string): void;
}

export function openMessageCounts(db: Database): MessageCounts {
  const known = new Map<string, MessageQueue | undefined>();
  /** The number of changes of each queue. A count from before a change is returned but not cached. */
  const changes = new Map<string, number>();
  return {
    changed: (clientId) => {
      known.delete(clientId);
      changes.set(clientId, (changes.get(clientId) ?? 0) + 1);
    },
    async waiting(clientId) {
      if (known.has(clientId)) return known.get(clientId);
      const before = changes.get(clientId);
      const row = await countMessages(db.as(registryTenant), clientId);
      const queue = row.id === null ? undefined : { count: Number(row.count), id: row.id };
      if (changes.get(clientId) === before) known.set(clientId, queue);
      return queue;
    },
  };
}
