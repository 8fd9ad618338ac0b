import { connectUnpooled } from '@namehold/postgres';
import pg from 'pg';
import { type Config, SettingError } from './config.ts';
import { loginNames } from './missing-roles.ts';
import { refuseSharedSessions } from './pooler.ts';
import { placesOf, unreachable } from './unreachable.ts';

export interface Logins {
  /** For requests: rows of one tenant. */
  readonly appUrl: string;
  /** For background jobs: rows of every tenant, and ledger entries. */
  readonly schedulerUrl: string;
  /** Purges old rows and has no other right. */
  readonly retentionUrl: string;
  readonly tenantKey: Buffer;
  /** Session defaults that the logins had set on their own roles, by name, which were reset. The service never sets any. */
  readonly cleared: readonly string[];
}

type ConfiguredLogins = { readonly [K in keyof typeof loginNames]?: string | undefined };

export const configuredLogins = (config: Config): ConfiguredLogins => ({
  app: config.databaseAppUrl,
  scheduler: config.databaseSchedulerUrl,
  retention: config.databaseRetentionUrl,
});

/**
 * The three logins of the service. Without a configured URL, a login uses the URL of the owner with its own name and a password from the
 * database, which the first start sets.
 */
export async function openLogins(ownerUrl: string, given: ConfiguredLogins = {}): Promise<Logins> {
  const owner = await connect(ownerUrl);
  const open: pg.Client[] = [owner];
  try {
    await closeDatabase(owner);
    const { rows } = await owner.query<{ login: string; password: string }>(
      'select login, password from login_password',
    );
    const passwords = new Map(rows.map((row) => [row.login, row.password]));
    const options = await startOptions(owner);
    const enter = async (what: keyof typeof loginNames) => {
      const login = loginNames[what];
      const url = withStartupOptions(options, given[what] ?? addressFor(ownerUrl, login, passwords.get(login)!));
      const password = given[what] ? undefined : passwords.get(login)!;
      const entered = await ensureLogin(owner, url, login, password).catch((error: unknown) => {
        throw given[what] ? unreachable(`NAMEHOLD_DATABASE_${what.toUpperCase()}_URL`, given[what], error) : error;
      });
      open.push(entered.client);
      return { url, ...entered };
    };
    const entering = [enter('app'), enter('scheduler'), enter('retention')] as const;
    // Waits for all, so that connections of the others are closed after a failure.
    await Promise.allSettled(entering);
    const [app, scheduler, retention] = await Promise.all(entering);
    await Promise.all([refusePrivileged(app.client), refusePrivileged(retention.client)]);
    await Promise.all([
      refuseSharedSessions(loginNames.app, app.client, () => connect(app.url)),
      refuseSharedSessions(loginNames.scheduler, scheduler.client, () => connect(scheduler.url)),
    ]);
    return {
      appUrl: app.url,
      schedulerUrl: scheduler.url,
      retentionUrl: retention.url,
      tenantKey: await readTenantKey(scheduler.client),
      cleared: [app, scheduler, retention].flatMap(({ cleared }) => cleared),
    };
  } finally {
    await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  }
}

const connect = (url: string) => connectUnpooled(url, 'namehold-logins');

/** A temporary table could shadow one of ours, and every new database grants this right to all roles. */
async function closeDatabase(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string; open: boolean }>(
    `select current_database() as name, has_database_privilege($1, current_database(), 'temporary') as open`,
    [loginNames.app],
  );
  if (rows[0]!.open)
    await execute(owner, `revoke temporary on database ${pg.escapeIdentifier(rows[0]!.name)} from public`);
}

/** A concurrent start may run the same statement; PostgreSQL reports this conflict only after the other one has committed. */
async function execute(client: pg.Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: unknown) => {
    if (!/tuple concurrently (updated|deleted)/.test(String(error))) throw error;
  });
}

function addressFor(ownerUrl: string, login: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = login;
  url.password = password;
  return url.href;
}

/** The URL of a login at another server of the cluster. */
export function loginAt(place: string, login: string): string {
  const [at, given] = [new URL(place), new URL(login)];
  at.username = given.username;
  at.password = given.password;
  at.searchParams.set('options', given.searchParams.get('options') ?? '');
  return at.href;
}

/** Checks each standby URL once for a session-mixing pooler. */
export function sessionProof(): (address: string) => Promise<void> {
  const proofs = new Map<string, Promise<void>>();
  return (address) => {
    const known = proofs.get(address);
    if (known) return known;
    const proof = connect(address).then((one) =>
      refuseSharedSessions('the replica', one, () => connect(address)).finally(() => one.end().catch(() => undefined)),
    );
    proofs.set(address, proof);
    // An unreachable standby is checked again; a refused one is not.
    proof.catch((error: unknown) => error instanceof SettingError || proofs.delete(address));
    return proof;
  };
}

/** Session parameters are part of the URL. Those of the operator's own URL come last and override ours. */
function withStartupOptions(options: string, address: string): string {
  const url = new URL(address);
  const own = url.searchParams.get('options');
  url.searchParams.set('options', own ? `${options} ${own}` : options);
  return url.href;
}

/**
 * Any PostgreSQL role can set permanent defaults for its own sessions. These parameters change the meaning of a statement or whether it
 * is answered. Values in the startup packet override role defaults (decision 0038).
 */
const startupParameters = [
  'search_path',
  'TimeZone',
  'DateStyle',
  'IntervalStyle',
  'lc_monetary',
  'lc_numeric',
  'lc_time',
  'default_text_search_config',
  'standard_conforming_strings',
  'backslash_quote',
  'array_nulls',
  'transform_null_equals',
  'bytea_output',
  'extra_float_digits',
  'xmloption',
  'row_security',
  'restrict_nonsystem_relation_kind',
  'gin_fuzzy_search_limit',
  'synchronous_commit',
  'default_transaction_isolation',
  'default_transaction_read_only',
  'default_transaction_deferrable',
  'statement_timeout',
  'lock_timeout',
  'transaction_timeout',
  'idle_session_timeout',
  'idle_in_transaction_session_timeout',
  'exit_on_error',
  'client_min_messages',
  'local_preload_libraries',
];

/** Uses the values of the server and database. Settings of the owner's role apply only to the owner. */
async function startOptions(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ name: string; value: string }>(
    `select name, case when source in ('user', 'database user') then boot_val else setting end as value
     from pg_settings where name = any ($1) order by name`,
    [startupParameters],
  );
  // Unknown to the server before the language is loaded.
  const all = [...rows, { name: 'plpgsql.extra_errors', value: 'none' }];
  return all.map(({ name, value }) => `-c ${name}=${value.replace(/[\\\s]/g, '\\$&')}`).join(' ');
}

interface RoleSetting {
  readonly login: string;
  readonly name: string;
}

/** Without settings that only a superuser can make. */
async function roleSettings(client: pg.Client, logins: string): Promise<RoleSetting[]> {
  // The server knows settings of a language only after one of its functions was called.
  await client.query('select current_tenant()').catch(() => undefined);
  const { rows } = await client.query<RoleSetting>(`
    select r.rolname as login, split_part(c.line, '=', 1) as name
    from pg_db_role_setting s join pg_roles r on r.oid = s.setrole cross join unnest(s.setconfig) as c (line)
      join pg_settings known on lower(known.name) = lower(split_part(c.line, '=', 1)) and known.context = 'user'
    where ${logins}
      and s.setdatabase in (0, (select d.oid from pg_database d where d.datname = current_database()))
    order by 1, 2`);
  return rows;
}

function namesByLogin(settings: readonly RoleSetting[]): string[] {
  const logins = Map.groupBy(settings, ({ login }) => login);
  return [...logins].map(([login, ofIt]) => `${login}: ${[...new Set(ofIt.map(({ name }) => name))].join(', ')}`);
}

/** Session defaults set on the three roles. The service never sets any. */
export async function settingsOfLogins(ownerUrl: string): Promise<string[]> {
  const owner = await connect(ownerUrl);
  const names = Object.values(loginNames).map((login) => pg.escapeLiteral(login));
  try {
    return namesByLogin(await roleSettings(owner, `r.rolname in (${names.join(', ')})`));
  } finally {
    await owner.end();
  }
}

/** Run as the login itself, which needs no additional right for it. */
async function clearOwnSettings(client: pg.Client): Promise<string[]> {
  const found = await roleSettings(client, 'r.rolname = session_user');
  if (found.length === 0) return [];
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  for (const where of ['', `in database ${pg.escapeIdentifier(rows[0]!.name)}`])
    await execute(client, `alter role session_user ${where} reset all`);
  return namesByLogin(found);
}

/** Invalid authorisation, or a role without LOGIN. PgBouncer reports a failed login as a protocol violation. */
function isRefused(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string };
  return /^28/.test(code) || (code === '08P01' && /auth|user|password/i.test(message));
}

interface Entered {
  /** A connection opened after the reset of role settings. */
  readonly client: pg.Client;
  readonly cleared: readonly string[];
}

async function enterAs(url: string): Promise<Entered> {
  const client = await connect(url);
  try {
    const cleared = await clearOwnSettings(client);
    if (cleared.length === 0) return { client, cleared };
    const fresh = await connect(url);
    await client.end();
    return { client: fresh, cleared };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function ensureLogin(
  owner: pg.Client,
  url: string,
  login: string,
  password: string | undefined,
): Promise<Entered> {
  try {
    return await enterAs(url);
  } catch (error) {
    if (!isRefused(error)) throw error;
    try {
      if (password === undefined) throw error;
      await execute(owner, `alter role ${pg.escapeIdentifier(login)} login password ${pg.escapeLiteral(password)}`);
      return await enterAs(url);
    } catch (second) {
      throw new SettingError(
        `the database login ${login} cannot log in at ${placesOf(url)} (${(second as Error).message}): create it with the SQL that namehold database roles prints; a pooler must know the login too (docs/operate/cluster.md, "Logins behind a pooler")`,
        { cause: second },
      );
    }
  }
}

/** A login that owns objects or can become another role breaks the isolation between accounts. */
async function refusePrivileged(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; why: string | null }>(
    `select session_user as login, case
       when r.rolsuper then 'it is a superuser'
       when r.rolbypassrls then 'it bypasses row-level security'
       when r.rolcreaterole then 'it may create roles'
       when pg_has_role(session_user, $2, 'member') then 'it can become ' || $2
       when exists (select from pg_class c where c.relowner = r.oid) then 'it owns tables'
       when has_schema_privilege('public', 'create') then 'it may create objects in the schema public'
       when has_database_privilege(current_database(), 'temporary') then 'it may create temporary tables'
       when exists (select from pg_roles m where m.oid <> r.oid and m.rolname <> all ($1) and pg_has_role(session_user, m.oid, 'member'))
         then 'it is a member of other roles'
     end as why from pg_roles r where r.rolname = session_user`,
    [[loginNames.app, loginNames.retention], loginNames.scheduler],
  );
  const { login, why } = rows[0]!;
  if (why)
    throw new SettingError(
      `the database login ${login} must own nothing and not be able to become another role, but ${why}; namehold database roles prints the required roles`,
    );
}

async function readTenantKey(client: pg.Client): Promise<Buffer> {
  const { rows } = await client.query<{ secret: Buffer }>('select secret from tenant_key');
  return rows[0]!.secret;
}

/** SQL for a database administrator, if the migration login may not create roles. */
export function rolesSql(): string[] {
  return [
    '-- Run once per server as a superuser, before the first start or a restore. Choose the passwords. None of these roles owns any object.',
    ...Object.values(loginNames).map(
      (login) => `create role ${login} login noinherit nosuperuser nocreatedb nocreaterole nobypassrls password '...';`,
    ),
    '-- The owner of the database runs the migrations (DATABASE_URL).',
    `create role namehold_owner login password '...';`,
    `grant ${loginNames.scheduler} to namehold_owner;`,
    'create database namehold owner namehold_owner;',
    'revoke temporary on database namehold from public;',
    '-- In the database namehold (this line is for psql):',
    String.raw`\connect namehold`,
    'alter schema public owner to namehold_owner;',
    'revoke create on schema public from public;',
    'revoke usage on language plpgsql from public;',
    'grant usage on language plpgsql to namehold_owner;',
    'revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;',
  ];
}
