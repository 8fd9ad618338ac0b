import { allTenants } from '@namehold/postgres';
import type { Registry } from '../../core/ports/registry.ts';
import { readEventCursor, saveEventCursor } from '../../core/registries/registry.sql.ts';
import { clientOf, type Upstream } from './upstream.ts';

const nothing = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** Without notifications, changes are found by regular comparison of the domains. */
export function notifications(u: Upstream): Pick<Registry, 'poll' | 'acknowledge'> {
  const { db } = u.ctx;
  return (
    u.dialect.notifications?.(clientOf(u), {
      read: () => readEventCursor(db.as(allTenants), u.id),
      keep: (cursor) => db.transaction(allTenants, (tx) => saveEventCursor(tx, u.id, cursor)),
    }) ?? { poll: async () => nothing, acknowledge: async () => nothing }
  );
}
