import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { recorded } from '../commit/at-commit.ts';

export interface Change {
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly before?: object | null;
  readonly after?: object | null;
  /** The account whose log it goes to, if not the actor's own (a parent changes a child). */
  readonly resellerId?: string;
}

const hidden = /password|secret|auth_code|fingerprint|api_key|sealed/i;

/** Secrets never reach the log, whatever row contains them. */
function withoutSecrets(row: object | null | undefined): string | null {
  if (!row) return null;
  return JSON.stringify(row, (key, value: unknown) => {
    if (hidden.test(key) && value !== null) return '(hidden)';
    return typeof value === 'bigint' ? value.toString() : value;
  });
}

/** In the transaction of the change itself: no change without its row, no row without its change. */
export async function audit(ctx: AppContext, tx: Tx, actor: Actor, change: Change): Promise<void> {
  const row = {
    reseller_id: change.resellerId ?? actor.resellerId,
    at: ctx.wall.now(),
    key_id: actor.keyId,
    person_id: actor.user?.id ?? null,
    person_name: actor.user?.name ?? null,
    session_id: actor.user?.sessionId ?? null,
    address: actor.address,
    request_id: actor.requestId,
    action: change.action,
    object_type: change.objectType,
    object_id: change.objectId,
    before: withoutSecrets(change.before),
    after: withoutSecrets(change.after),
  };
  recorded.add(tx, { audit: row });
}
