import { readFileSync } from 'node:fs';
import { buildRRset } from '@namehold/dns';
import { allTenants, sql } from '@namehold/postgres';
import { packRecords } from '../../packages/server/src/core/zones/rrsets/packed.ts';
import { askUdp } from '../../test/nameservers/support/ask.ts';
import type { Fleet } from '../../test/nameservers/support/fleet.ts';
import { servedAfter } from './lag.ts';
import { ms, printTable } from './table.ts';

const STEPS = [1_000, 10_000, 100_000];

/** Memory and time of the embedded nameserver as the number of zones grows. Run by hand: it takes minutes. */
export async function measureGrowth(fleet: Fleet, largest: number): Promise<void> {
  const rows: (string | number)[][] = [['zones', 'first answer', 'all in memory', 'memory', 'change answered']];
  let present = 0;
  for (const count of STEPS.filter((step) => step <= largest)) {
    await fleet.lab.service.stop();
    await fillZones(fleet, present, count);
    present = count;
    const startedAt = performance.now();
    await fleet.lab.service.start();
    const server = fleet.lab.embedded;
    const firstMs = await servedAfter(server, ['www.grown0.example.', 'A'], '192.0.2.1', startedAt);
    const allMs = await servedAfter(server, [`www.grown${count - 1}.example.`, 'A'], '192.0.2.1', startedAt);
    const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${fleet.lab.service.pid}/status`, 'utf8'))![1];
    const domain = { id: await domainId(fleet, 'grown0.example'), name: 'grown0.example' };
    const address = `192.0.2.${STEPS.indexOf(count) + 10}`;
    const changedAt = performance.now();
    await fleet.lab.patch(domain, [{ name: 'changed', type: 'A', ttl: 300, records: [address] }]);
    const lag = await servedAfter(server, ['changed.grown0.example.', 'A'], address, changedAt);
    rows.push([count, ms(firstMs), ms(allMs), `${Math.round(Number(memory) / 1_024)} MB`, ms(lag)]);
    await askUdp(server, 'grown0.example.', 'SOA');
  }
  printTable('growth (times from the start of the process)', rows);
}

async function domainId(fleet: Fleet, name: string): Promise<string> {
  const row = await fleet.lab.ctx.db
    .as(allTenants)
    .one<{ id: string }>(sql`select id from domain where name = ${name}`);
  return row.id;
}

/** Rows like those of the API, without its work for each. */
async function fillZones(fleet: Fleet, from: number, to: number): Promise<void> {
  const names = Array.from({ length: to - from }, (_, n) => `grown${from + n}.example`);
  await fleet.lab.domains(names);
  const set = (type: string, records: string[]) =>
    buildRRset({ name: '@', type, ttl: 300, records }, { origin: 'x.example.' }).rrset;
  const hosts = ['ns1.namehold-dns.net.', 'ns2.namehold-dns.net.'];
  const contents = [
    { prefix: '', type: 'NS', records: hosts, wire: packRecords(set('NS', hosts).records) },
    { prefix: 'www.', type: 'A', records: ['192.0.2.1'], wire: packRecords(set('A', ['192.0.2.1']).records) },
  ];
  await fleet.lab.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`
      insert into zone (reseller_id, domain_id, name, serial, mname, rname, refresh, retry, expire, minimum, record_count, changed_at, created_at)
      select reseller_id, id, name || '.', 1, ${hosts[0]}, 'hostmaster.' || name || '.', 86400, 7200, 1209600, 3600, 3, now(), now()
      from domain where name = any (${names}::text[])`);
    await tx.run(sql`
      insert into zone_membership (zone_id, name, catalog_label, action, at)
      select id, name, catalog_label, 'join', now() from zone where name = any (${names.map((name) => `${name}.`)}::text[])`);
    for (const { prefix, type, records, wire } of contents) {
      await tx.run(sql`
        insert into zone_rrset (zone_id, reseller_id, name, type, ttl, records, wire)
        select id, reseller_id, ${prefix} || name, ${type}, 300, ${records}::text[], ${wire} from zone
        where name = any (${names.map((name) => `${name}.`)}::text[])`);
    }
  });
}
