import { type Autocommit, type Reader, sql, type Tx } from '@namehold/postgres';

export interface Passkey {
  readonly id: string;
  readonly person_id: string;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: string;
  readonly transports: string[];
  readonly name: string;
  /** The brand's host where it was made and works; null: the service's own address. */
  readonly host: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const passkeyColumns = sql.raw(
  'id, person_id, credential_id, public_key, counter, transports, name, host, created_at, last_used_at',
);

/** The second factors of a user. */
export interface FactorsRow {
  readonly passkeys: number;
  /** Of these, those made at the present host. */
  readonly passkeys_here: number;
  readonly has_totp: boolean;
  readonly recovery_codes: number;
}

/** Also runs for an unknown user: the number of statements must be the same. */
export async function readFactors(db: Reader, userId: string, host: string | null): Promise<FactorsRow> {
  return db.one<FactorsRow>(sql`
    select (select count(*) from passkey where person_id = ${userId})::int as passkeys,
      (select count(*) from passkey where person_id = ${userId} and host is not distinct from ${host}::text)::int as passkeys_here,
      exists (select from totp where person_id = ${userId} and confirmed_at is not null) as has_totp,
      (select count(*) from recovery_code where person_id = ${userId} and used_at is null)::int as recovery_codes`);
}

export async function listPasskeys(db: Reader, userId: string): Promise<Passkey[]> {
  return db.many<Passkey>(
    sql`select ${passkeyColumns} from passkey where person_id = ${userId} order by created_at, id`,
  );
}

export async function findPasskeyByCredential(db: Reader, credentialId: string): Promise<Passkey | undefined> {
  return db.maybe<Passkey>(sql`select ${passkeyColumns} from passkey where credential_id = ${credentialId}`);
}

/** False: this authenticator is already registered. */
export async function insertPasskey(tx: Tx, row: Omit<Passkey, 'last_used_at' | 'counter'> & { counter: number }) {
  const made = await tx.run(sql`
    insert into passkey (id, person_id, credential_id, public_key, counter, transports, name, host, created_at)
    values (${row.id}, ${row.person_id}, ${row.credential_id}, ${row.public_key}, ${row.counter}, ${row.transports}, ${row.name}, ${row.host}, ${row.created_at})
    on conflict (credential_id) do nothing`);
  return made === 1;
}

export async function renamePasskey(tx: Tx, userId: string, id: string, name: string): Promise<Passkey | undefined> {
  return tx.maybe<Passkey>(
    sql`update passkey set name = ${name} where id = ${id} and person_id = ${userId} returning ${passkeyColumns}`,
  );
}

export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<Passkey | undefined> {
  return tx.maybe<Passkey>(
    sql`delete from passkey where id = ${id} and person_id = ${userId} returning ${passkeyColumns}`,
  );
}

/** False: the counter did not rise although it should, so the key was copied. */
export async function recordPasskeyUse(alone: Autocommit, id: string, counter: number, now: Date): Promise<boolean> {
  const changed = await alone.run(sql`
    update passkey set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`);
  return changed === 1;
}

/** Marks a correctly answered challenge as used. False: it was used before. */
export async function consumeChallenge(
  alone: Autocommit,
  row: { readonly fingerprint: string; readonly expiresAt: Date },
): Promise<boolean> {
  const made = await alone.run(sql`
    insert into passkey_challenge (fingerprint, expires_at) values (${row.fingerprint}, ${row.expiresAt}) on conflict (fingerprint) do nothing`);
  return made === 1;
}

export async function deleteOldChallenges(tx: Tx, before: Date, limit: number): Promise<void> {
  await tx.run(sql`
    delete from passkey_challenge where fingerprint in (
      select fingerprint from passkey_challenge where expires_at < ${before} order by expires_at limit ${limit})`);
}

interface Totp {
  readonly secret_sealed: string;
  readonly confirmed_at: Date | null;
}

export async function findTotp(db: Reader, userId: string): Promise<Totp | undefined> {
  return db.maybe<Totp>(sql`select secret_sealed, confirmed_at from totp where person_id = ${userId}`);
}

/** Replaces an unconfirmed one only. False: there is a confirmed one. */
export async function beginTotp(tx: Tx, userId: string, encrypted: string, now: Date): Promise<boolean> {
  const made = await tx.run(sql`
    insert into totp as t (person_id, secret_sealed, created_at) values (${userId}, ${encrypted}, ${now})
    on conflict (person_id) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, last_step = 0
    where t.confirmed_at is null`);
  return made === 1;
}

/** Each step counts once, even for concurrent requests, and only for the secret that the code was checked against. */
export async function takeTotpStep(
  alone: Autocommit,
  userId: string,
  encrypted: string,
  step: number,
): Promise<boolean> {
  const taken = await alone.run(sql`
    update totp set last_step = ${step} where person_id = ${userId} and secret_sealed = ${encrypted} and last_step < ${step}`);
  return taken === 1;
}

/** False: it is already confirmed, or another enrolment has replaced the secret of the code. */
export async function confirmTotp(tx: Tx, userId: string, encrypted: string, now: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update totp set confirmed_at = ${now} where person_id = ${userId} and secret_sealed = ${encrypted} and confirmed_at is null`);
  return changed === 1;
}

export async function deleteTotp(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.run(sql`delete from totp where person_id = ${userId}`)) === 1;
}

/** Removes all earlier ones. */
export async function putRecoveryCodes(tx: Tx, userId: string, fingerprints: readonly string[]): Promise<void> {
  await tx.run(sql`delete from recovery_code where person_id = ${userId}`);
  await tx.run(sql`
    insert into recovery_code (fingerprint, person_id) select f, ${userId} from unnest(${fingerprints}::text[]) f`);
}

export async function takeRecoveryCode(alone: Autocommit, userId: string, fingerprint: string, now: Date) {
  const taken = await alone.run(sql`
    update recovery_code set used_at = ${now} where fingerprint = ${fingerprint} and person_id = ${userId} and used_at is null`);
  return taken === 1;
}

export async function deleteFactors(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from passkey where person_id = ${userId}`);
  await tx.run(sql`delete from totp where person_id = ${userId}`);
  await tx.run(sql`delete from recovery_code where person_id = ${userId}`);
}
