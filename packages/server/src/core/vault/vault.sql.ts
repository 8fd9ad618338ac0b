import { type Autocommit, type Reader, sql } from '@namehold/postgres';

export async function readSecret(db: Reader, name: string): Promise<string | undefined> {
  return (await db.maybe<{ sealed: string }>(sql`select sealed from vault_secret where name = ${name}`))?.sealed;
}

/** Of two concurrent first starts the first one counts. */
export async function keepSecret(alone: Autocommit, name: string, encrypted: string): Promise<void> {
  await alone.run(sql`insert into vault_secret (name, sealed) values (${name}, ${encrypted}) on conflict do nothing`);
}

/** Locations of encrypted texts: the row's key, the column, and the encryption context. */
export interface EncryptedColumn {
  readonly table: string;
  readonly key: readonly string[];
  readonly column: string;
  /** SQL of the context, of the row's own columns. */
  readonly context: string;
  readonly isPacked?: true;
  /** Further condition, if not every value of the column is encrypted. */
  readonly only?: string;
}

export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'vault_secret', key: ['name'], column: 'sealed', context: `'vault:' || name` },
  { table: 'registry', key: ['id'], column: 'secrets_sealed', context: `'registry:' || id` },
  {
    table: 'upstream_session',
    key: ['registry_id'],
    column: 'token_sealed',
    context: `'upstream_session:' || registry_id`,
  },
  {
    table: 'upstream_request',
    key: ['registry_id', 'request'],
    column: 'answer_sealed',
    context: `'upstream_request:' || registry_id || ':' || request`,
    isPacked: true,
  },
  { table: 'nameserver', key: ['id'], column: 'tsig_secret_sealed', context: `'nameserver:' || id` },
  { table: 'domain', key: ['id'], column: 'auth_code_sealed', context: `'domain:' || id || ':auth_code'` },
  { table: 'operation', key: ['id'], column: 'secrets_sealed', context: `'operation:' || id` },
  {
    table: 'registry_command',
    key: ['cltrid'],
    column: 'frame_sealed',
    context: `'command:' || cltrid`,
    isPacked: true,
  },
  {
    table: 'registry_command',
    key: ['cltrid'],
    column: 'answer_sealed',
    context: `'answer:' || cltrid`,
    isPacked: true,
  },
  {
    table: 'waiting_order',
    key: ['transaction_id'],
    column: 'order_sealed',
    context: `'waiting_order:' || transaction_id`,
  },
  {
    table: 'payment_account',
    key: ['reseller_id', 'provider'],
    column: 'secret_sealed',
    context: `'payment_account:' || reseller_id || ':' || provider`,
  },
  { table: 'certificate', key: ['subject'], column: 'key_sealed', context: `'certificate:' || id` },
  { table: 'certificate_order', key: ['id'], column: 'key_sealed', context: `'certificate:' || id` },
  {
    table: 'certificate_account',
    key: ['authority'],
    column: 'key_sealed',
    context: `'certificate_account:' || authority`,
  },
  { table: 'totp', key: ['person_id'], column: 'secret_sealed', context: `'totp:' || person_id` },
  { table: 'notice', key: ['id'], column: 'secret_sealed', context: `'notice:' || id` },
  {
    table: 'sandbox_mail',
    key: ['id'],
    column: 'message_sealed',
    context: `'sandbox-mail:' || coalesce(notice_id, forward_id)`,
  },
  {
    table: 'poll_message',
    key: ['registry_id', 'message_id'],
    column: 'body_sealed',
    context: `'poll:' || registry_id || ':' || message_id`,
  },
  {
    table: 'idempotency',
    key: ['reseller_id', 'key'],
    column: 'body',
    context: `'idempotency:' || reseller_id || ':' || key`,
    only: 'sealed',
  },
];

interface EncryptedRow {
  readonly key: readonly string[];
  readonly sealed: string;
  readonly context: string;
}

/** A page of one column, in the order of its key; `after` is the key of the last row of the page before. */
export async function encryptedPage(
  db: Reader,
  { table, key, column, context, only }: EncryptedColumn,
  after: readonly string[] | undefined,
  limit: number,
): Promise<EncryptedRow[]> {
  const keys = sql.raw(key.join(', '));
  const beyond = after
    ? sql`and (${keys}) > (${sql.join(
        after.map((value) => sql`${value}`),
        ', ',
      )})`
    : sql``;
  return db.many<EncryptedRow>(sql`
    select array[${sql.raw(key.map((name) => `${name}::text`).join(', '))}] as key, ${sql.raw(column)} as sealed, ${sql.raw(context)} as context
    from ${sql.raw(table)} where ${sql.raw(column)} is not null and ${sql.raw(only ?? 'true')} ${beyond}
    order by ${keys} limit ${limit}`);
}

/** Only if it was not changed in the meantime. */
export async function replaceEncrypted(
  alone: Autocommit,
  { table, key, column }: EncryptedColumn,
  row: EncryptedRow,
  sealed: string,
): Promise<void> {
  const where = sql.join(
    key.map((name, n) => sql`${sql.raw(name)} = ${row.key[n]}`),
    ' and ',
  );
  await alone.run(
    sql`update ${sql.raw(table)} set ${sql.raw(column)} = ${sealed} where ${where} and ${sql.raw(column)} = ${row.sealed}`,
  );
}

export async function anyEncrypted(db: Reader): Promise<EncryptedRow | undefined> {
  for (const column of encryptedColumns) {
    const [row] = await encryptedPage(db, column, undefined, 1);
    if (row) return row;
  }
  return undefined;
}
