import type pg from 'pg';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
  readonly isGenerated: boolean;
  /** The `table.column` of the foreign key. */
  readonly refers: string | null;
}

/** Seeded random numbers: the same rows in every run. */
function seededChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const triesForFirstRow = 400;
/** Some tables allow one row only: further rows are found soon or not at all. */
const triesForNextRow = 100;

/** Texts that satisfy check constraints; the right one is found by trying. */
const texts = ['GB', 'USD', 'com', 'example.com.', 'ns1', 'A', '{}', 'x'];

/** Values that random ones do not satisfy: related columns (a draft invoice), numbers in a range. */
const together: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  invoice: {
    kind: 'invoice',
    state: 'draft',
    child_id: null,
    series: null,
    place: null,
    number: null,
    issued_at: null,
    issued_on: null,
    due_on: null,
    settled_at: null,
    period: null,
    corrects_id: null,
    net: 0,
    paid: 0,
    credited: 0,
    lines: '[]',
    taxes: '[]',
  },
  invoice_charge: { amount: 5, credited: 0, given: 0, replaced_by: null },
  invoice_months: { since: '2026-01-01', until: null, through: null },
  expected_payment: { charged_back: 0 },
  ledger_account: { overdrawn: 0 },
  ledger_transaction: { returned: null },
  invoice_reminder_settings: { days: [7, 14] },
  brand: { colour: null, colour_dark: null, logo: null, logo_type: null, logo_hash: null },
  brand_host: { host: 'panel.example.com', missed_since: null, misses: 0, reached_at: null },
  displaced_rrset: { managed_by: 'url_forwarding' },
  exchange_rate: { base: 'EUR', quote: 'USD', rate: 1, margin_basis_points: 0 },
};

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     and relname <> 'schema_migration' order by oid`,
  );
  return rows.map((row) => row.name);
}

/** Reads all tables in one query, because it runs after every migration for about a hundred of them. */
async function columnsByTable(client: pg.Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<Column & { table: string }>(
    `select t.relname as table, a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as "isRequired",
            a.atthasdef or a.attidentity <> '' as "hasDefault", a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated",
            (select f.relname || '.' || fa.attname from pg_constraint c join pg_class f on f.oid = c.confrelid
               join pg_attribute fa on fa.attrelid = c.confrelid and fa.attnum = c.confkey[array_position(c.conkey, a.attnum)]
             where c.conrelid = a.attrelid and c.contype = 'f' and a.attnum = any (c.conkey) limit 1) as refers
     from pg_class t join pg_attribute a on a.attrelid = t.oid
     where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
     order by t.oid, a.attnum`,
  );
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return new Map([...byTable].map(([table, columns]) => [table, columns.map(({ table: _, ...column }) => column)]));
}

/** The allowed values of a check constraint as PostgreSQL prints it: a list or a pattern. */
async function valuesByTable(client: pg.Client): Promise<Map<string, Map<string, string[]>>> {
  const { rows } = await client.query<{ table: string; text: string }>(
    `select t.relname as table, pg_get_constraintdef(c.oid) as text from pg_constraint c join pg_class t on t.oid = c.conrelid
     where c.contype = 'c' and t.relnamespace = 'public'::regnamespace order by c.oid`,
  );
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, checks]) => [
      table,
      allowedValues(checks.map(({ text }) => text)),
    ]),
  );
}

function allowedValues(checks: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const text of checks) {
    for (const [, column, pattern] of text.matchAll(/\(?(\w+) ~ '([^']+)'/g)) {
      const fitting = texts.filter((word) => new RegExp(pattern!).test(word));
      if (fitting.length > 0) found.set(column!, fitting);
    }
    const match = /\(?(\w+) = ANY \(ARRAY\[(.+?)\]\)/.exec(text);
    if (match)
      found.set(
        match[1]!,
        [...match[2]!.matchAll(/'([^']*)'/g)].map((word) => word[1]!),
      );
  }
  return found;
}

let made = 0;

function plainValue(column: Column, words: string[] | undefined, chance: () => number): unknown {
  const pick = <T>(list: readonly T[]) => list[Math.floor(chance() * list.length)]!;
  made += 1;
  if (column.type.endsWith('[]')) return column.type.startsWith('text') ? [pick(texts)] : [];
  if (words) return pick(words);
  if (column.type === 'boolean') return pick([true, false]);
  if (column.type.startsWith('json')) return pick(['{}', '[]', '{"a":1}']);
  if (column.type.startsWith('timestamp')) return new Date(Date.UTC(2026, 0, 1) + Math.floor(chance() * 1e10));
  if (column.type === 'date') return pick(['2026-01-01', '2026-06-01']);
  if (/^(bigint|integer|smallint|numeric|double precision|real)/.test(column.type)) return pick([0, 1, 1, 5, made]);
  if (column.type === 'bytea') return Buffer.from([made & 255]);
  if (column.type === 'inet') return '192.0.2.1';
  return chance() < 0.5 ? pick(texts) : `${pick(['a', 'z'])}${made}`;
}

async function referredValue(client: pg.Client, refers: string, chance: () => number): Promise<unknown> {
  const [table, column] = refers.split('.') as [string, string];
  const { rows } = await client.query<{ value: unknown }>(`select ${column} as value from ${table} limit 20`);
  return rows[Math.floor(chance() * rows.length)]?.value ?? null;
}

async function tryRow(
  client: pg.Client,
  table: string,
  columns: Column[],
  words: Map<string, string[]>,
  chance: () => number,
): Promise<boolean> {
  const values = new Map<string, unknown>();
  for (const column of columns) {
    if (column.isGenerated) continue;
    const fixed = together[table]?.[column.name];
    if (fixed !== undefined) {
      values.set(column.name, fixed);
      continue;
    }
    // Every second time the default or null.
    if ((column.hasDefault || !column.isRequired) && chance() < 0.5) continue;
    const value = column.refers
      ? await referredValue(client, column.refers, chance)
      : plainValue(column, words.get(column.name), chance);
    values.set(column.name, value);
  }
  const names = [...values.keys()];
  const list = names.map((name) => `"${name}"`).join(', ');
  const holes = names.map((_, i) => `$${i + 1}`).join(', ');
  await client.query('savepoint row');
  try {
    await client.query(
      names.length === 0 ? `insert into ${table} default values` : `insert into ${table} (${list}) values (${holes})`,
      [...values.values()],
    );
    return true;
  } catch {
    await client.query('rollback to savepoint row');
    return false;
  }
}

/** Inserts rows into every table and returns the tables that stayed empty. Triggers are disabled, because other tests cover them. */
export async function fillTables(
  client: pg.Client,
  rowsPerTable: number,
  seed: number,
  /** The columns with which each table was last filled; an unchanged table already has its rows. */
  filled = new Map<string, string>(),
): Promise<string[]> {
  const chance = seededChance(seed);
  await client.query('begin');
  await client.query(`set local session_replication_role = replica`);
  await client.query(`select set_config('namehold.tenant', '*', true)`);
  const empty: string[] = [];
  const [allColumns, allValues] = [await columnsByTable(client), await valuesByTable(client)];
  for (const table of await tablesOf(client)) {
    const [columns, words] = [allColumns.get(table) ?? [], allValues.get(table) ?? new Map<string, string[]>()];
    const shape = JSON.stringify([columns, [...words]]);
    if (filled.get(table) === shape) continue;
    filled.set(table, shape);
    let rows = 0;
    for (let left = triesForFirstRow; left > 0 && rows < rowsPerTable; left--) {
      if (!(await tryRow(client, table, columns, words, chance))) continue;
      rows += 1;
      left = triesForNextRow;
    }
    const { rowCount } = await client.query(`select 1 from ${table} limit 1`);
    if (rowCount === 0) empty.push(table);
  }
  await client.query('commit');
  return empty;
}

/** Number of rows of each table. */
export async function countTables(client: pg.Client): Promise<Map<string, number>> {
  const tables = await tablesOf(client);
  if (tables.length === 0) return new Map();
  const counts = tables.map((table) => `select '${table}' as name, count(*)::integer as n from ${table}`);
  const { rows } = await client.query<{ name: string; n: number }>(counts.join(' union all '));
  return new Map(rows.map(({ name, n }) => [name, n]));
}
