import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';

interface Credentials {
  readonly password_hash: string | null;
  readonly certificate_sha256: string | null;
}

export function credentialsOf(db: Reader, clientId: string): Promise<Credentials | undefined> {
  return db.maybe<Credentials>(
    sql`select password_hash, certificate_sha256 from registrar where client_id = ${clientId}`,
  );
}

export async function changePassword(autocommit: Autocommit, clientId: string, hash: string): Promise<void> {
  await autocommit.run(sql`update registrar set password_hash = ${hash} where client_id = ${clientId}`);
}

export async function isRegistrar(db: Reader, clientId: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 as known from registrar where client_id = ${clientId}`)) !== undefined;
}

interface NewRegistrar {
  readonly clientId: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly certificate: string;
  readonly balance: bigint;
  readonly lowBalanceThreshold: bigint;
  readonly at: Date;
}

/** An existing account keeps its money and gets the credentials of the folder. */
export async function seedRegistrar(tx: Tx, r: NewRegistrar): Promise<void> {
  await tx.run(sql`
    insert into registrar (client_id, name, password_hash, certificate_sha256, balance, low_balance_threshold, created_at)
    values (${r.clientId}, ${r.name}, ${r.passwordHash}, ${r.certificate}, ${r.balance}, ${r.lowBalanceThreshold}, ${r.at})
    on conflict (client_id) do update set password_hash = excluded.password_hash,
      certificate_sha256 = excluded.certificate_sha256`);
}

/** Without password and certificate, so that it cannot be used to log in. */
export async function seedRegistryItself(tx: Tx, clientId: string, at: Date): Promise<void> {
  await tx.run(sql`insert into registrar (client_id, name, created_at)
    values (${clientId}, 'Namehold Sandbox Registry', ${at}) on conflict (client_id) do nothing`);
}
