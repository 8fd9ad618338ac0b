import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { openPool, type State, startRegistry } from './sandbox/stage.ts';

/** Sandbox creates a second over TLS, against plain inserts into the same PostgreSQL; memory with 100,000 domains. */
const creates = Number(process.env.BENCH_CREATES ?? 4_000);
const seeded = Number(process.env.BENCH_DOMAINS ?? 100_000);
const inFlight = 64;

/** Runs `work` for 0..count-1 with limited concurrency; returns the rate a second. */
async function rateOf(count: number, width: number, work: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next++; index < count; index = next++) await work(index);
    }),
  );
  return (count * 1_000) / (performance.now() - started);
}

async function measureCreates(state: State) {
  const pool = openPool(state);
  const contact = 'bench-contact';
  const addr = { street: ['1 Main Street'], city: 'London', pc: 'N1 1AA', cc: 'GB' };
  await pool.send({
    object: 'contact',
    verb: 'create',
    id: contact,
    postal: [{ type: 'int', name: 'Bench', addr }],
    email: 'bench@example.org',
    authInfo: { pw: '' },
  });
  const create = async (index: number) => {
    const answer = await pool.send({
      object: 'domain',
      verb: 'create',
      name: `bench-${index}.org`,
      period: { value: 1, unit: 'y' },
      ns: { model: 'objects', hosts: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'] },
      registrant: contact,
      contacts: [
        { type: 'admin', id: contact },
        { type: 'tech', id: contact },
      ],
      authInfo: { pw: '' },
    });
    if (answer.kind !== 'done') throw new Error(`create ${index}: ${JSON.stringify(answer)}`);
  };
  await rateOf(200, inFlight, (index) => create(1_000_000 + index));
  const rate = await rateOf(creates, inFlight, create);
  const info = await rateOf(creates, inFlight, (index) =>
    pool.send({ object: 'domain', verb: 'info', name: `bench-${index}.org` }),
  );
  await pool.close();
  return { rate, info };
}

/** The baseline: one row, one commit, as many connections as the registry has. */
async function measureInserts(url: string): Promise<number> {
  const db = openDatabase({ url, maxConnections: 16 });
  await db.autocommit(allTenants).run(sql`create table bench_row (id bigint generated always as identity primary key,
    name text not null unique, sponsor text not null, created_at timestamptz not null)`);
  const at = new Date();
  const rate = await rateOf(creates, inFlight, (index) =>
    db
      .autocommit(allTenants)
      .run(sql`insert into bench_row (name, sponsor, created_at) values (${`bench-${index}`}, 'x', ${at})`),
  );
  await db.close();
  return rate;
}

async function seedDomains(url: string): Promise<void> {
  const db = openDatabase({ url, statementTimeoutMs: 600_000 });
  await db
    .autocommit(allTenants)
    .run(sql`insert into domain (name, tld, sponsor, creator, created_at, expires_at, phase, due_at)
    select 'seeded-' || n || '.net', 'net', 'namehold', 'namehold', now(), now() + interval '1 year', 'active', now() + interval '1 year'
    from generate_series(1, ${seeded}::int) n`);
  await db.autocommit(allTenants).run(sql`insert into domain_host (domain_id, host_id)
    select d.id, h.id from domain d, host h where d.name like 'seeded-%' and h.name like 'ns_.namehold-dns.net'`);
  await db.close();
}

async function rssMiB(state: State): Promise<number> {
  const stats = (await (await fetch(`http://127.0.0.1:${state.control_port}/stats`)).json()) as { rss_bytes: number };
  return stats.rss_bytes / 1_048_576;
}

const folder = mkdtempSync(join(tmpdir(), 'namehold-bench-'));
const cluster = await openCluster({ folder: join(folder, 'postgres') });
try {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('create database sandbox');
  await admin.query('create database floor');
  await admin.end();
  const inserts = await measureInserts(cluster.url('floor'));
  const first = await startRegistry(folder, cluster.url('sandbox'));
  const empty = await rssMiB(first.state);
  const { rate, info } = await measureCreates(first.state);
  const busy = await rssMiB(first.state);
  await first.stop();
  await seedDomains(cluster.url('sandbox'));
  const second = await startRegistry(folder, cluster.url('sandbox'));
  const pool = openPool(second.state);
  await rateOf(2_000, inFlight, (index) =>
    pool.send({ object: 'domain', verb: 'info', name: `seeded-${index + 1}.net` }),
  );
  await (await fetch(`http://127.0.0.1:${second.state.control_port}/zones/net`)).text();
  const full = await rssMiB(second.state);
  await pool.close();
  await second.stop();
  const report = {
    creates_per_second: Math.round(rate),
    raw_inserts_per_second: Math.round(inserts),
    creates_to_inserts: Number((rate / inserts).toFixed(3)),
    infos_per_second: Math.round(info),
    rss_mib_at_start: Math.round(empty),
    rss_mib_after_creates: Math.round(busy),
    [`rss_mib_with_${seeded}_domains`]: Math.round(full),
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
