import { type Autocommit, sql, type Tx } from '@namehold/postgres';

interface StoredToken {
  readonly token_sealed: string;
  readonly valid_ms: number;
}

/** The token of our login at an upstream, if it is still valid. */
export function readUpstreamToken(alone: Autocommit, registryId: string): Promise<StoredToken | undefined> {
  return alone.maybe<StoredToken>(sql`
    select token_sealed, extract(epoch from valid_until - now())::float8 * 1000 as valid_ms
    from upstream_session where registry_id = ${registryId} and token_sealed is not null and valid_until > now()`);
}

/** True: the caller logs in, and the other processes wait. */
export async function beginUpstreamLogin(
  alone: Autocommit,
  registryId: string,
  caller: string,
  limitMs: number,
): Promise<boolean> {
  const begun = await alone.run(sql`
    insert into upstream_session as s (registry_id, opening_by, opening_until)
    values (${registryId}, ${caller}, now() + ${limitMs}::float8 * interval '1 millisecond')
    on conflict (registry_id) do update set opening_by = excluded.opening_by, opening_until = excluded.opening_until
    where (s.opening_until is null or s.opening_until <= now()) and (s.token_sealed is null or s.valid_until <= now())`);
  return begun === 1;
}

/** Without a token: the login failed, and another process may try. */
export async function endUpstreamLogin(
  alone: Autocommit,
  registryId: string,
  caller: string,
  opened: { readonly encrypted: string; readonly validMs: number } | undefined,
): Promise<void> {
  await alone.run(sql`
    update upstream_session set opening_by = null, opening_until = null, token_sealed = ${opened?.encrypted ?? null},
      valid_until = now() + ${opened?.validMs ?? 0}::float8 * interval '1 millisecond'
    where registry_id = ${registryId} and opening_by = ${caller}`);
}

/** The upstream refused this token. Another one may have been stored since. */
export async function dropUpstreamToken(alone: Autocommit, registryId: string, encrypted: string): Promise<void> {
  await alone.run(sql`
    update upstream_session set token_sealed = null where registry_id = ${registryId} and token_sealed = ${encrypted}`);
}

/** The credentials may have changed. */
export async function endUpstreamSession(tx: Tx, registryId: string): Promise<void> {
  await tx.run(sql`delete from upstream_session where registry_id = ${registryId}`);
}
