import type { TransferStatus } from '@namehold/epp';
import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Parties } from '../keysys/fields.ts';
import type { Call, CommitEffects } from '../registry/registry.ts';

export type TransferredObject = 'domain' | 'contact';

export interface TransferRecord {
  readonly id: string;
  readonly object: TransferredObject;
  readonly objectId: string;
  readonly state: TransferStatus;
  readonly requester: string;
  readonly requestedAt: Date;
  readonly actor: string;
  readonly actedAt: Date;
  readonly expiresAt: Date | null;
  readonly clTRID: string | null;
  readonly svTRID: string | null;
  /** Only at an upstream: what the order sets when it is completed. */
  readonly parties: Parties | null;
}

/** The pending one, otherwise the one that ended last. */
export async function latestTransfer(
  db: Reader,
  object: TransferredObject,
  objectId: string,
): Promise<TransferRecord | undefined> {
  return db.maybe<TransferRecord>(sql`
    select id, object, object_id as "objectId", state, requester, requested_at as "requestedAt", actor,
      acted_at as "actedAt", expires_at as "expiresAt", cl_trid as "clTRID", sv_trid as "svTRID", parties
    from transfer where object = ${object} and object_id = ${objectId} order by id desc limit 1`);
}

export async function openTransfer(
  tx: Tx,
  call: Call,
  wanted: {
    readonly object: TransferredObject;
    readonly objectId: string;
    readonly actor: string;
    readonly autoApprovedAt: Date;
    readonly expiresAt: Date | null;
    readonly parties?: Parties | null;
  },
): Promise<TransferRecord> {
  const parties = wanted.parties ?? null;
  const { id } = await tx.one<{ id: string }>(sql`
    insert into transfer (object, object_id, state, requester, requested_at, actor, acted_at, expires_at, cl_trid, sv_trid, parties)
    values (${wanted.object}, ${wanted.objectId}, 'pending', ${call.clientId}, ${call.at}, ${wanted.actor},
      ${wanted.autoApprovedAt}, ${wanted.expiresAt}, ${call.clTRID}, ${call.svTRID}, ${parties === null ? null : JSON.stringify(parties)}) returning id`);
  call.effects.dueAt.push(wanted.autoApprovedAt);
  return {
    id,
    object: wanted.object,
    objectId: wanted.objectId,
    state: 'pending',
    requester: call.clientId,
    requestedAt: call.at,
    actor: wanted.actor,
    actedAt: wanted.autoApprovedAt,
    expiresAt: wanted.expiresAt,
    clTRID: call.clTRID,
    svTRID: call.svTRID,
    parties,
  };
}

export async function endTransfer(
  tx: Tx,
  transfer: TransferRecord,
  end: { readonly state: TransferStatus; readonly at: Date; readonly expiresAt: Date | null },
): Promise<TransferRecord> {
  await tx.run(sql`update transfer set state = ${end.state}, acted_at = ${end.at}, expires_at = ${end.expiresAt}
    where id = ${transfer.id}`);
  return { ...transfer, state: end.state, actedAt: end.at, expiresAt: end.expiresAt };
}

/** Author and time, for rows and messages: a command, or time itself. */
export interface Cause {
  readonly at: Date;
  readonly effects: CommitEffects;
  readonly clTRID: string | null;
  readonly svTRID: string | null;
}
