import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query, RCODE, readMessage, writeMessage } from '@namehold/dns';
import { allTenants, sql } from '@namehold/postgres';
import { Registry } from '@prometheus-io/client';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainAnswering } from '../../../../test/nameservers/support/answering.ts';
import { askUdp, until } from '../../../../test/nameservers/support/ask.ts';
import { Lab } from '../../../../test/nameservers/support/lab.ts';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { activeNameservers } from '../../src/core/nameservers/list.ts';
import { nameserverChannel } from '../../src/core/nameservers/nameserver.sql.ts';
import { DnsClient } from '../../src/nameservers/publish/dns-client.ts';
import { sweep } from '../../src/nameservers/publish/sweep.ts';
import { type RunningNameserver, runNameserver } from '../../src/nameservers/responder/run.ts';
import type { NameserverSettings } from '../../src/nameservers/responder/settings.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let lab: Lab;
let more: RunningNameserver;
let folder: string;
let settings: NameserverSettings;
let metrics = new Registry();
let both: { address: string; port: number }[];

beforeAll(async () => {
  database = await migratedDatabase();
  lab = await Lab.start(database.url);
  // A second nameserver with three threads, in this process.
  folder = mkdtempSync(join(tmpdir(), 'namehold-follow-'));
  settings = {
    folder,
    databaseUrl: database.url,
    hosts: ['127.0.0.1'],
    port: 0,
    threads: 3,
    logLevel: 'silent',
    eventLoopLimitMs: 0,
    metricsHost: '127.0.0.1',
    answering: plainAnswering,
  };
  more = await runNameserver(settings, options(metrics));
  both = [lab.embedded, { address: '127.0.0.1', port: more.state.port }];
});

afterAll(async () => {
  await more?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
  await lab?.close();
  await database.drop();
});

const options = (registry: Registry) => ({
  log: lab.ctx.log,
  metrics: registry,
  isOwn: true,
  onEnd: () => undefined,
});

/** The responses of both nameservers, once they match the expected ones. */
async function answered(name: string, type: string, wanted: string[], rcode: number = RCODE.NOERROR): Promise<void> {
  for (const served of both) {
    await until(
      `${name} ${type}`,
      async () => {
        const message = await askUdp(served, name, type);
        return {
          rcode: message?.rcode,
          rdata: message?.answer.map((rr) => Buffer.from(rr.rdata).toString('hex')).sort(),
        };
      },
      (found) => found.rcode === rcode && JSON.stringify(found.rdata) === JSON.stringify(wanted),
    );
  }
}

const ip = (text: string) => Buffer.from(text.split('.').map(Number)).toString('hex');

test('serves a changed zone from every process, and a deleted zone from none', async () => {
  const domain = await lab.domain('follow.example');
  await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  await answered('www.follow.example.', 'A', [ip('192.0.2.1')]);
  const serial = await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.2', '192.0.2.3'] }]);
  await answered('www.follow.example.', 'A', [ip('192.0.2.2'), ip('192.0.2.3')]);
  await lab.patch(domain, [{ name: 'www', type: 'A', action: 'delete' }]);
  await answered('www.follow.example.', 'A', [], RCODE.NXDOMAIN);
  await lab.deleteZone(domain);
  await answered('www.follow.example.', 'A', [], RCODE.REFUSED);
  await lab.rollback(domain, serial);
  await answered('www.follow.example.', 'A', [ip('192.0.2.2'), ip('192.0.2.3')]);
});

test('serves a zone change whose notification was lost while other zones are notified', async () => {
  const loud = await lab.domain('loud.example');
  await lab.patch(loud, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  const quiet = await lab.domain('quiet.example');
  await lab.patch(quiet, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  await answered('www.quiet.example.', 'A', [ip('192.0.2.1')]);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const notify = `select pg_notify('namehold_zone', (select id::text from zone where name = 'loud.example.'))`;
  const timer = setInterval(() => void client.query(notify), 200);
  try {
    // The process with the change died before NOTIFY.
    await client.query(`
      with changed as (
        update zone set serial = serial + 1, record_count = record_count - 1, changed_xid = pg_current_xact_id() where name = 'quiet.example.' returning id)
      delete from zone_rrset r using changed where r.zone_id = changed.id and r.name = 'www.quiet.example.' and r.type = 'A'`);
    await answered('www.quiet.example.', 'A', [], RCODE.NXDOMAIN);
  } finally {
    clearInterval(timer);
    await client.end();
  }
});

test('ignores invalid notifications', async () => {
  const domain = await lab.domain('noise.example');
  await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  await answered('www.noise.example.', 'A', [ip('192.0.2.1')]);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  let isOver = false;
  const noise = (async () => {
    while (!isOver) {
      for (const notify of ['garbage', '', '1e9', '-1', '9'.repeat(40)])
        await client.query(`select pg_notify('namehold_zone', $1)`, [notify]);
      await client.query(`select pg_notify('${nameserverChannel}', 'x')`);
    }
  })();
  try {
    // Each must be served during the load; before a fix, none was until it ended.
    for (let last = 2; last < 6; last++) {
      await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: [`192.0.2.${last}`] }]);
      await answered('www.noise.example.', 'A', [ip(`192.0.2.${last}`)]);
    }
  } finally {
    isOver = true;
    await noise;
    await client.end();
  }
});

test('reads only the changes of a large zone from its journal', async () => {
  const domain = await lab.domain('large.example');
  const many = Array.from({ length: 1_500 }, (_, n) => ({
    name: `h${n}`,
    type: 'A',
    ttl: 300,
    records: ['192.0.2.9'],
  }));
  await lab.patch(domain, many);
  await answered('h1499.large.example.', 'A', [ip('192.0.2.9')]);
  await lab.patch(domain, [
    { name: 'h7', type: 'A', action: 'delete' },
    { name: 'h8', type: 'A', ttl: 300, records: ['192.0.2.10'] },
    { name: 'new', type: 'A', ttl: 300, records: ['192.0.2.11'] },
  ]);
  await answered('h7.large.example.', 'A', [], RCODE.NXDOMAIN);
  await answered('h8.large.example.', 'A', [ip('192.0.2.10')]);
  await answered('new.large.example.', 'A', [ip('192.0.2.11')]);
  await answered('h9.large.example.', 'A', [ip('192.0.2.9')]);
});

test('reconnects to the database and serves the changes made during the interruption', async () => {
  const domain = await lab.domain('lost.example');
  await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  await answered('www.lost.example.', 'A', [ip('192.0.2.1')]);
  await endConnections();
  await until(
    'write',
    () =>
      lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.5'] }]).then(
        () => true,
        () => false,
      ),
    Boolean,
  );
  await answered('www.lost.example.', 'A', [ip('192.0.2.5')]);
});

test('stops serving a renamed zone under its former name, in memory and after loading from disk', async () => {
  const domain = await lab.domain('namesake.example');
  await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  await answered('www.namesake.example.', 'A', [ip('192.0.2.1')]);
  // The serial stays, as after a manual change of the row.
  const rename = async (from: string, to: string) => {
    await asOwner(async (client) => {
      await client.query('begin');
      await client.query('set local session_replication_role = replica');
      await client.query(`
        with z as (update zone set name = '${to}', changed_xid = pg_current_xact_id() where name = '${from}' returning id),
          r as (update zone_rrset set name = replace(name, '${from}', '${to}') where zone_id = (select id from z))
        select pg_notify('namehold_zone', id::text) from z`);
      await client.query('commit');
    });
    await answered(`www.${to}`, 'A', [ip('192.0.2.1')]);
    await answered(`www.${from}`, 'A', [], RCODE.REFUSED);
  };
  await rename('namesake.example.', 'stolen.example.');
  await rename('stolen.example.', 'namesake.example.');
  // A start without the database, from the copy on disk.
  await more.stop();
  more = await runNameserver(
    { ...settings, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' },
    options(new Registry()),
  );
  const again = { address: '127.0.0.1', port: more.state.port };
  expect((await askUdp(again, 'www.stolen.example.', 'A'))?.rcode).toBe(RCODE.REFUSED);
  expect((await askUdp(again, 'www.namesake.example.', 'A'))?.rcode).toBe(RCODE.NOERROR);
  await more.stop();
  metrics = new Registry();
  more = await runNameserver(settings, options(metrics));
  both[1] = { address: '127.0.0.1', port: more.state.port };
});

/** Ends every connection of the service, like a restart of PostgreSQL. */
async function endConnections(): Promise<void> {
  await asOwner((client) =>
    client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    ),
  );
}

async function asOwner(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await work(client).finally(() => client.end());
}

test('marks a change as published, with one event, once the embedded nameserver serves it', async () => {
  const domain = await lab.domain('published.example');
  const serial = await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  const db = lab.ctx.db.as(allTenants);
  const events = () =>
    db.many<{ payload: { serial: number } }>(
      sql`select payload from event where type = 'zone.published' and object_id = ${domain.id}`,
    );
  const found = await until('event', events, (rows) => rows.length > 0);
  expect(found.map((row) => row.payload.serial)).toEqual([serial]);
  const row = await db.one<{ serial: string; error: string | null }>(sql`
    select p.serial, p.error from zone_publication p join zone z on z.id = p.zone_id where z.domain_id = ${domain.id}`);
  expect([Number(row.serial), row.error]).toEqual([serial, null]);
});

test('finds and reports served records that differ from the database under the same serial', async () => {
  const domain = await lab.domain('swept.example');
  await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  await answered('www.swept.example.', 'A', [ip('192.0.2.1')]);
  const resolver = new DnsClient('127.0.0.1');
  const swept = async () => sweep(lab.ctx, resolver, await activeNameservers(lab.ctx), 100);
  const alarms = async () => (await openAlarms(lab.ctx)).map((alarm) => alarm.key);
  expect(await swept()).toEqual([]);
  const write = (octets: string) =>
    lab.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        update zone_rrset r set wire = decode(${octets}, 'hex') from zone z
        where z.id = r.zone_id and z.name = 'swept.example.' and r.type = 'A'`),
    );
  await write('0004c0000263');
  expect(await swept()).toEqual([{ nameserver: 'embedded', zone: 'swept.example.', rrset: 'www.swept.example. A' }]);
  expect(await alarms()).toEqual(['nameserver-differs:embedded']);
  await write('0004c0000201');
  expect(await swept()).toEqual([]);
  expect(await alarms()).toEqual([]);
  await resolver.close();
});

test('answers from all worker threads on one port and counts queries together', async () => {
  const answers = async () => {
    const text = await metrics.getSingleMetricAsString('namehold_dns_answers_total');
    return [...text.matchAll(/^namehold_dns_answers_total\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
  };
  const before = await answers();
  // Each query from another socket, because the kernel chooses the thread by the source address.
  const queries = 60;
  await Promise.all(
    Array.from({ length: queries }, async () => {
      const resolver = new DnsClient('127.0.0.1');
      const build = (id: number) => writeMessage(query(id, 'published.example.', 'SOA'));
      const answer = await resolver.exchange({ address: '127.0.0.1', port: more.state.port }, build, 30_000);
      expect(readMessage(answer!).rcode).toBe(RCODE.NOERROR);
      await resolver.close();
    }),
  );
  expect((await answers()) - before).toBe(queries);
});
