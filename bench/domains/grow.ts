import { allTenants, type Database, openDatabase, type Sql, sql } from '@namehold/postgres';
import { type Buyer, registration } from './buyers.ts';
import type { Stage } from './stage.ts';

const atOnce = 25_000;
const fillTimeoutMs = 1_800_000;
/** Tables that an order only adds to and whose old rows no measured query reads: more than half of the data of a registration. */
const appendedTo = new Set(['registry_command', 'audit', 'audit_link', 'event', 'idempotency', 'zone_change']);
const orderName = 'grown-000000000.com';

/** The columns that identify the rows of an order. */
interface Order {
  readonly domain: string;
  readonly operation: string;
  readonly transaction: string;
  readonly zone: string;
  readonly request: string;
}

interface Kind {
  readonly table: string;
  readonly where: Sql;
  /** Columns that differ in each copy; texts and documents are adapted to the names in them. Null: left to the database. */
  readonly set: Readonly<Record<string, Sql | null>>;
}

/** Ids above all that the service uses in a run. */
const id = sql`(1000000000 + n)`;
const name = sql`('grown-' || lpad(n::text, 9, '0') || '.com')`;
const operation = sql`('op_' || lpad(n::text, 26, '0'))`;
const request = sql`('req_' || lpad(n::text, 32, '0'))`;
/** Three rows of an order in such a table. */
const ofThree = (column: string) =>
  sql`(1000000000 + 3 * n + row_number() over (partition by n order by ${sql.raw(column)}) - 1)`;
/** Expiries are spread over a year, and the paid time with them. */
const earlier = (column: string) => sql`(${sql.raw(column)} - (n % 300) * interval '1 day')`;
const later = sql`(now() + interval '20 years')`;

function kindsOf(order: Order): Kind[] {
  const byZone = sql`zone_id = ${order.zone}`;
  const ofRequest = sql`request_id = ${order.request}`;
  const ends = { end_date: earlier('end_date'), registry_expires_at: earlier('registry_expires_at') };
  const compared = {
    synced_at: later,
    compared_at: later,
    verify_since: sql`null`,
    verify_by: sql`null`,
    verify_cause: sql`null`,
  };
  const begun = { registry_created_at: earlier('registry_created_at'), ...ends, ...compared };
  const ordered = { transaction_id: id, domain_id: id };
  return [
    { table: 'domain', where: sql`id = ${order.domain}`, set: { id, ...begun } },
    { table: 'operation', where: sql`id = ${order.operation}`, set: ordered },
    { table: 'ledger_transaction', where: sql`id = ${order.transaction}`, set: { id, purchase_id: id, domain_id: id } },
    {
      table: 'ledger_entry',
      where: sql`transaction_id = ${order.transaction}`,
      set: {
        id: null,
        transaction_id: id,
        // Times of an account are ascending.
        at: sql`(select max(e.at) from sample_of_ledger_entry e)`,
        balance: sql`case when (select kind from ledger_account a where a.id = account_id) = 'available' then balance + n * amount else balance end`,
      },
    },
    {
      table: 'registry_command',
      where: sql`operation_id = ${order.operation}`,
      set: { cltrid: sql`'nh_' || lpad(n::text, 20, '0') || left(step, 6)` },
    },
    { table: 'audit', where: ofRequest, set: { id: ofThree('id'), object_id: sql`${id}::text` } },
    {
      table: 'audit_link',
      where: sql`audit_id in (select id from audit where ${ofRequest})`,
      set: { number: ofThree('number'), audit_id: ofThree('number') },
    },
    {
      table: 'event',
      where: sql`object_id = ${order.domain}`,
      set: { number: ofThree('number'), object_id: sql`${id}::text` },
    },
    { table: 'zone', where: sql`id = ${order.zone}`, set: { id, domain_id: id, catalog_label: sql`'z' || ${id}` } },
    { table: 'zone_rrset', where: byZone, set: { zone_id: id } },
    { table: 'zone_change', where: byZone, set: { id: null, zone_id: id } },
    { table: 'zone_membership', where: byZone, set: { id: null, zone_id: id, catalog_label: sql`'z' || ${id}` } },
    { table: 'idempotency', where: sql`key = ${orderName}`, set: {} },
  ];
}

const poolSizeOf = (isBare: boolean) => (isBare ? 2 : 1);

/** The copied rows are stored separately, so that no index leads to them while the copies are written. */
const sampleOf = (table: string) => `sample_of_${table}`;

/** Copies all rows of one real registration, so that each table grows as in production; inside the database, without triggers. */
export class Growth {
  readonly #stage: Stage;
  readonly #db: Database;
  readonly #buyer: Buyer;
  readonly #order: Order;
  readonly #kinds: readonly Kind[];
  /** In parallel, the entries of an account would not be written in the order of their balances, which reconciliation would report. */
  readonly #poolSize: number;
  #present = 0;

  private constructor(stage: Stage, db: Database, buyer: Buyer, order: Order, isBare: boolean) {
    this.#stage = stage;
    this.#db = db;
    this.#buyer = buyer;
    this.#order = order;
    this.#kinds = kindsOf(order).filter(({ table }) => !(isBare && appendedTo.has(table)));
    this.#poolSize = poolSizeOf(isBare);
  }

  /** The buyer must order nothing else: its entries continue from this order. Bare copies are without journal, audit log and events. */
  static async begin(stage: Stage, buyer: Buyer, isBare: boolean): Promise<Growth> {
    const { status, body } = await stage.call(buyer.credentials, 'POST', '/v1/domains', {
      form: registration(buyer, orderName),
      headers: { 'Idempotency-Key': orderName },
    });
    if (status !== 200) throw new Error(`${orderName}: ${status} ${JSON.stringify(body)}`);
    const db = openDatabase({
      url: stage.databaseUrl,
      maxConnections: poolSizeOf(isBare),
      statementTimeoutMs: fillTimeoutMs,
    });
    const order = await db.as(allTenants).one<Order>(sql`
      select d.id as domain, o.id as operation, o.transaction_id as transaction, z.id as zone, o.request_id as request
      from domain d join operation o on o.domain_id = d.id join zone z on z.domain_id = d.id where d.name = ${orderName}`);
    await db
      .autocommit(allTenants)
      .run(
        sql`update ledger_account set credit_limit = 10000000000000 where kind = 'available' and reseller_id = ${buyer.resellerId}`,
      );
    const growth = new Growth(stage, db, buyer, order, isBare);
    for (const { table, where } of growth.#kinds)
      await db
        .autocommit(allTenants)
        .run(sql`create table ${sql.raw(sampleOf(table))} as select * from ${sql.raw(table)} where ${where}`);
    return growth;
  }

  async to(size: number): Promise<void> {
    const columns = new Map<string, readonly Column[]>();
    for (const { table } of this.#kinds) columns.set(table, await this.#columns(table));
    await this.#withoutIndexes(async () => {
      let next = this.#present + 1;
      const copy = async () => {
        while (next <= size) {
          const first = next;
          next += atOnce;
          await this.#fill(columns, first, Math.min(size, first + atOnce - 1));
        }
      };
      await Promise.all(Array.from({ length: this.#poolSize }, copy));
    });
    this.#present = size;
    for (const { table } of this.#kinds) await this.#db.as(allTenants).many(sql`vacuum analyze ${sql.raw(table)}`);
  }

  /** Building an index over all rows costs a tenth of inserting each row into it. Indexes of keys are kept. */
  async #withoutIndexes(work: () => Promise<void>): Promise<void> {
    const owner = this.#db.autocommit(allTenants);
    const tables = this.#kinds.map(({ table }) => table);
    const dropped = await owner.many<{ name: string; definition: string }>(sql`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
      where i.indrelid::regclass::text = any (${tables})
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
    // Its background jobs would scan whole tables meanwhile.
    this.#stage.signal('SIGSTOP');
    try {
      for (const { name } of dropped) await owner.run(sql`drop index ${sql.raw(name)}`);
      await work();
      for (const { definition } of dropped) await owner.run(sql`${sql.raw(definition)}`);
    } finally {
      this.#stage.signal('SIGCONT');
    }
  }

  /** Bytes of each table with its indexes. */
  async sizes(): Promise<Map<string, number>> {
    const rows = await this.#db.as(allTenants).many<{ name: string; size: string }>(sql`
      select relname as name, pg_total_relation_size(oid) as size from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
    return new Map(rows.map((row) => [row.name, Number(row.size)]));
  }

  async #fill(columns: ReadonlyMap<string, readonly Column[]>, first: number, last: number): Promise<void> {
    await this.#db.transaction(allTenants, async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      await tx.run(sql`set local synchronous_commit = off`);
      for (const kind of this.#kinds) await tx.run(this.#copy(kind, columns.get(kind.table)!, first, last));
      const [count, reseller] = [last - first + 1, this.#buyer.resellerId];
      // Counters of triggers that lists use.
      await tx.run(
        sql`insert into domain_total (reseller_id, state, difference) values (${reseller}, 'live', ${count})`,
      );
      await tx.run(
        sql`insert into transaction_total (reseller_id, customer_id, type, difference) values (${reseller}, 0, 'domain', ${count})`,
      );
      await tx.run(sql`
        update ledger_account a set balance = a.balance - ${count} * t.amount from ledger_transaction t
        where t.id = ${this.#order.transaction} and a.reseller_id = ${reseller} and a.kind = 'available'`);
    });
  }

  async #columns(table: string): Promise<readonly Column[]> {
    const reader = this.#db.as(allTenants);
    const columns = await reader.many<{ name: string; type: string }>(sql`
      select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`);
    const texts = columns.filter(({ type }) => ['text', 'jsonb', 'json'].includes(type));
    const known = [orderName, ...Object.values(this.#order)];
    const isNamed = texts.map(
      (each) => sql`bool_or(exists (select from unnest(${known}::text[]) w where strpos(${own(each)}::text, w) > 0))`,
    );
    if (texts.length === 0) return columns.map((each) => ({ ...each, isNamed: false }));
    const { named } = await reader.one<{ named: (boolean | null)[] }>(
      sql`select array[${join(isNamed)}] as named from ${sql.raw(sampleOf(table))} t`,
    );
    return columns.map((each) => ({ ...each, isNamed: named[texts.indexOf(each)] === true }));
  }

  #copy({ table, set }: Kind, columns: readonly Column[], first: number, last: number): Sql {
    const written = columns.filter((each) => set[each.name] !== null);
    const list = sql.raw(written.map((each) => `"${each.name}"`).join(', '));
    const values = written.map((each) => set[each.name] ?? this.#renamed(each));
    const order = columns.some((each) => each.name === 'id') ? sql`order by n, t.id` : sql`order by n`;
    return sql`insert into ${sql.raw(table)} (${list}) overriding system value
      select ${join(values)} from generate_series(${first}::int, ${last}::int) n cross join ${sql.raw(sampleOf(table))} t ${order}`;
  }

  /** The same text with the names of the copy in it. */
  #renamed(column: Column): Sql {
    const { type, isNamed } = column;
    const kept = own(column);
    if (!isNamed) return kept;
    const order = this.#order;
    const quoted = (text: string) => `"${text}"`;
    const pairs: readonly (readonly [string, Sql])[] = [
      [orderName, name],
      [order.operation, operation],
      [order.request, request],
      [quoted(order.domain), sql`'"' || ${id} || '"'`],
      [quoted(order.transaction), sql`'"' || ${id} || '"'`],
    ];
    const text = pairs.reduce<Sql>((inner, [from, to]) => sql`replace(${inner}, ${from}, ${to})`, sql`${kept}::text`);
    return type === 'text' ? text : sql`(${text})::${sql.raw(type)}`;
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** It contains a name of the order, so that each copy has a text of its own. */
  readonly isNamed: boolean;
}

const own = (column: { readonly name: string }): Sql => sql`${sql.raw(`t."${column.name}"`)}`;

const join = (parts: readonly Sql[]): Sql => parts.slice(1).reduce((all, part) => sql`${all}, ${part}`, parts[0]!);
