import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../../model/domain.ts';
import { domainTable, holdsName } from '../../tables/domain.sql.ts';

interface NewPollMessage {
  readonly registryId: string;
  readonly messageId: string;
  /** A hash of the content and its queue time, because registries reuse ids. */
  readonly fingerprint: string;
  readonly queuedAt: Date | null;
  readonly kind: string;
  readonly domainName: string | null;
  readonly encryptedBody: string;
  readonly now: Date;
}

/** Stores a message once, however often the registry shows it. */
export async function storeMessage(alone: Autocommit, m: NewPollMessage): Promise<void> {
  await alone.run(sql`
    insert into poll_message (registry_id, message_id, fingerprint, queued_at, received_at, kind, domain_name, body_sealed)
    values (${m.registryId}, ${m.messageId}, ${m.fingerprint}, ${m.queuedAt}, ${m.now}, ${m.kind}, ${m.domainName}, ${m.encryptedBody})
    on conflict do nothing`);
}

export interface MessageKey {
  readonly registryId: string;
  readonly messageId: string;
  readonly fingerprint: string;
}

const isMessage = (key: MessageKey) =>
  sql`registry_id = ${key.registryId} and message_id = ${key.messageId} and fingerprint = ${key.fingerprint}`;

export async function markAcked(alone: Autocommit, key: MessageKey, now: Date): Promise<void> {
  await alone.run(sql`update poll_message set acked_at = coalesce(acked_at, ${now}) where ${isMessage(key)}`);
}

export async function markProcessed(alone: Autocommit, key: MessageKey, outcome: string, now: Date): Promise<void> {
  await alone.run(sql`
    update poll_message set processed_at = ${now}, outcome = ${outcome} where ${isMessage(key)} and processed_at is null`);
}

/** True for the first report only, also if the registry sends it again under another id: its content is in the audit log and the events. */
export async function markReported(tx: Tx, key: MessageKey, now: Date): Promise<boolean> {
  const marked = await tx.run(sql`
    update poll_message set told_at = ${now} where ${isMessage(key)} and not exists (
      select from poll_message known where known.registry_id = ${key.registryId} and known.fingerprint = ${key.fingerprint} and known.told_at is not null)`);
  return marked === 1;
}

export interface OpenMessage {
  readonly message_id: string;
  readonly fingerprint: string;
  readonly kind: string;
  readonly domain_name: string | null;
  readonly body_sealed: string;
  readonly queued_at: Date | null;
  readonly received_at: Date;
}

/** Oldest first. A message that could not be processed stays here and does not block the others. */
export async function openMessages(db: Reader, registryId: string, limit: number): Promise<OpenMessage[]> {
  return db.many<OpenMessage>(sql`
    select message_id, fingerprint, kind, domain_name, body_sealed, queued_at, received_at from poll_message
    where registry_id = ${registryId} and processed_at is null order by received_at, message_id limit ${limit}`);
}

/** Some registries reuse ids: all messages with this id, the newest first. */
export async function findMessages(
  db: Reader,
  registryId: string,
  messageId: string,
): Promise<Pick<OpenMessage, 'body_sealed'>[]> {
  return db.many(sql`
    select body_sealed from poll_message where registry_id = ${registryId} and message_id = ${messageId} order by received_at desc limit 20`);
}

/** Those of the given words that are domains of ours at this registry. */
export async function ownNames(db: Reader, registryId: string, names: readonly string[]): Promise<Domain[]> {
  if (names.length === 0) return [];
  return db.many<Domain>(sql`
    select ${domainTable.columns} from domain where registry_id = ${registryId} and name = any (${names}::text[]) and ${holdsName('domain')} order by id`);
}

export async function activeRegistries(db: Reader): Promise<{ id: string }[]> {
  return db.many<{ id: string }>(sql`select id from registry where is_active order by id`);
}
