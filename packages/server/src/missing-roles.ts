import { connectUnpooled, endConnection, migrate } from '@namehold/postgres';
import type pg from 'pg';
import { SettingError } from './config.ts';

/** The database role of each login; schema/policies grants their rights. */
export const loginNames = {
  app: 'namehold_app',
  scheduler: 'namehold_clockwork',
  retention: 'namehold_retention',
} as const;

interface RoleProblem {
  /** A start gives existing roles LOGIN and a password itself, if it may. */
  readonly isFixedByStart?: boolean;
  readonly text: string;
  readonly fix: string;
}

const createRoles = 'create them as a superuser with the SQL that namehold database roles prints';
const restoreAgain =
  'drop this database, create the roles, and restore the dump again (docs/operate/backup-and-restore.md)';

/** A dump contains no roles: restored on a server without them, it loses their grants and policies, and no migration sets them again. */
export async function roleProblem(client: pg.Client): Promise<RoleProblem | undefined> {
  const { rows } = await client.query<{ name: string; exists: boolean; login: boolean; granted: boolean }>(
    `select wanted.name, r.oid is not null as exists, coalesce(r.rolcanlogin, false) as login,
       exists (select from pg_class c cross join aclexplode(c.relacl) a where a.grantee = r.oid and c.relnamespace = 'public'::regnamespace)
       or exists (select from pg_proc p cross join aclexplode(p.proacl) a where a.grantee = r.oid and p.pronamespace = 'public'::regnamespace)
       as granted
     from unnest($1::text[]) with ordinality as wanted (name, place) left join pg_roles r on r.rolname = wanted.name
     order by wanted.place`,
    [Object.values(loginNames)],
  );
  const present = await client.query<{ is: boolean }>(`select to_regclass('public.tenant_key') is not null as is`);
  const isMigrated = present.rows[0]!.is;
  const names = (some: typeof rows) => some.map(({ name }) => name).join(', ');
  const missing = rows.filter((row) => !row.exists);
  if (missing.length > 0)
    return {
      text: `database roles are missing: ${names(missing)}`,
      fix: isMigrated ? `the dump was restored before the roles existed: ${restoreAgain}` : createRoles,
    };
  const closed = rows.filter((row) => !row.granted);
  if (isMigrated && closed.length > 0)
    return {
      text: `database roles have no rights in this database: ${names(closed)}`,
      fix: `the dump was restored before the roles existed: ${restoreAgain}`,
    };
  const locked = rows.filter((row) => !row.login);
  if (locked.length === 0) return undefined;
  const statements = locked.map(({ name }) => `alter role ${name} login;`).join(' ');
  return {
    isFixedByStart: true,
    text: `database roles may not log in: ${names(locked)}`,
    fix: `run as a superuser: ${statements}`,
  };
}

/** PostgreSQL 15 reports a grant to a missing role as an undefined object. */
const isMissingRole = (error: unknown) => {
  const { code } = ((error as Error).cause ?? error) as { code?: string };
  return code === '42704';
};

/** Migrates, and reports missing roles or grants with the fix: no migration sets them again after a restore without the roles. */
export async function migrateWithRoles(options: Parameters<typeof migrate>[0]): Promise<string[]> {
  const applied = await migrate(options).catch(async (error: unknown) => {
    if (isMissingRole(error)) await refuseMissingRoles(options.url);
    throw error;
  });
  await refuseMissingRoles(options.url);
  return applied;
}

async function refuseMissingRoles(url: string): Promise<void> {
  const client = await connectUnpooled(url, 'namehold-migrate');
  try {
    const problem = await roleProblem(client);
    if (problem && !problem.isFixedByStart) throw new SettingError(`${problem.text}; ${problem.fix}`);
  } finally {
    await endConnection(client);
  }
}
