import { sql, type Tx } from '@namehold/base';
import type { Actor, House } from '../house.ts';

export interface Change {
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly before?: object | null;
  readonly after?: object | null;
  /** Whose log it goes to, where that is not the actor's own (a parent changes a child). */
  readonly resellerId?: string;
}

const hidden = /password|secret|auth_code|fingerprint|api_key|sealed/i;

/** Secrets never reach the log, whatever row they are handed in with. */
function withoutSecrets(row: object | null | undefined): string | null {
  if (!row) return null;
  return JSON.stringify(row, (key, value: unknown) => {
    if (hidden.test(key) && value !== null) return '(hidden)';
    return typeof value === 'bigint' ? value.toString() : value;
  });
}

/** In the transaction of the change itself: no change without its row, no row without its change. */
export async function audit(house: House, tx: Tx, actor: Actor, change: Change): Promise<void> {
  await tx.run(sql`
    insert into audit (reseller_id, at, key_id, address, request_id, action, object_type, object_id, before, after)
    values (${change.resellerId ?? actor.resellerId}, ${house.wall.now()}, ${actor.keyId}, ${actor.address}, ${actor.requestId},
            ${change.action}, ${change.objectType}, ${change.objectId}, ${withoutSecrets(change.before)}, ${withoutSecrets(change.after)})`);
}
