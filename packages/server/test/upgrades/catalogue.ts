import type pg from 'pg';

const own = (column: string) => `${column} = 'public'::regnamespace`;

/** Rights in the order in which they were granted, which pg_dump keeps. */
const queries: Readonly<Record<string, string>> = {
  table: `select format('%s %s %s %s %s', relname, relkind, relpersistence, relrowsecurity, relforcerowsecurity) || ' ' || coalesce(relacl::text, '')
    from pg_class where relkind in ('r', 'v', 'm', 'p', 'S') and ${own('relnamespace')}`,
  column: `select format('%s %s. %s %s', c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname, format_type(a.atttypid, a.atttypmod))
      || format(' %s %s %s %s %s %s', a.attnotnull, a.attidentity, a.attgenerated, a.attstorage, pg_get_expr(d.adbin, d.adrelid), a.attacl)
    from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and ${own('c.relnamespace')}`,
  constraint: `select format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where ${own('connamespace')}`,
  index: `select pg_get_indexdef(i.indexrelid) || format(' %s %s', i.indisvalid, i.indisclustered)
    from pg_index i join pg_class c on c.oid = i.indexrelid where ${own('c.relnamespace')}`,
  sequence: `select format('%s %s %s %s %s %s', seqrelid::regclass, seqstart, seqincrement, seqmin, seqmax, seqcycle)
    from pg_sequence s join pg_class c on c.oid = s.seqrelid where ${own('c.relnamespace')}`,
  function: `select pg_get_functiondef(oid) || format(' %s %s', proowner::regrole, proacl) from pg_proc where ${own('pronamespace')}`,
  trigger: `select pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and ${own('c.relnamespace')}`,
  policy: `select format('%s %s %s %s %s %s %s', tablename, policyname, permissive, roles, cmd, qual, with_check)
    from pg_policies where schemaname = 'public'`,
  type: `select format('%s %s', typname, typtype) from pg_type where ${own('typnamespace')}`,
  comment: `select format('%s %s %s', classoid::regclass, objsubid, description) from pg_description d
    where exists (select from pg_class c where c.oid = d.objoid and ${own('c.relnamespace')})`,
  'default right': `select format('%s %s %s', defaclnamespace::regnamespace, defaclobjtype, defaclacl) from pg_default_acl`,
  schema: `select format('%s %s', nspname, nspacl) from pg_namespace where nspname = 'public'`,
  role: `select format('%s %s %s %s %s', rolname, rolsuper, rolinherit, rolcanlogin, rolbypassrls) from pg_roles where rolname like 'namehold%'`,
};

/** The whole schema as the server describes it, one sorted line per object. */
export async function catalogueOf(client: pg.Client): Promise<string[]> {
  const lines: string[] = [];
  for (const [what, query] of Object.entries(queries)) {
    const { rows } = await client.query<{ line: string }>(`select q.line from (${query}) q (line)`);
    lines.push(...rows.map(({ line }) => `${what}: ${line}`));
  }
  return lines.sort();
}
