import { everyTenant, sql } from '@namehold/base';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zoneSets } from '../../packages/dns/test/zone-arbitrary.ts';
import { askUdp, summary, until } from './support/ask.ts';
import { Fleet } from './support/fleet.ts';

let fleet: Fleet;
const a = (name: string, address: string) => `rcode 0 aa true\n${name} 300 A ${address}`;
const www = (address: string) => [{ name: 'www', type: 'A', ttl: 300, records: [address] }];
const refused = 'rcode 5 aa false';

beforeAll(async () => {
  fleet = await Fleet.start();
});

afterAll(() => fleet?.stop());

test('zones are created, changed, rolled back and deleted through the interface, and all servers follow', async () => {
  const { lab } = fleet;
  const domain = await lab.domain('life.example');
  const first = await lab.patch(domain, www('192.0.2.1'));
  fleet.nsd.addZone('life.example');
  await fleet.allAnswer('www.life.example.', 'A', a('www.life.example.', '192.0.2.1'));
  await lab.patch(domain, [...www('192.0.2.2'), { name: 'b', type: 'TXT', ttl: 300, records: ['one'] }]);
  await fleet.allAnswer('www.life.example.', 'A', a('www.life.example.', '192.0.2.2'));
  await fleet.allAnswer('b.life.example.', 'TXT', 'rcode 0 aa true\nb.life.example. 300 TXT "one"');
  await lab.rollback(domain, first);
  await fleet.allAnswer('www.life.example.', 'A', a('www.life.example.', '192.0.2.1'));
  await fleet.allAnswer('b.life.example.', 'TXT', 'rcode 3 aa true');
  const seen = await until(
    'published',
    () => lab.call('GET', `/domains/${domain.id}/zone`),
    (zone) => zone.publication.state === 'published',
  );
  expect(seen.publication.nameservers.map((one: { name: string }) => one.name)).toEqual([
    'bind1',
    'embedded',
    'knot1',
    'nsd1',
    'powerdns1',
  ]);
  await lab.deleteZone(domain);
  fleet.nsd.removeZone('life.example');
  await fleet.allAnswer('www.life.example.', 'A', refused);
  await lab.rollback(domain, first);
  fleet.nsd.addZone('life.example');
  await fleet.allAnswer('www.life.example.', 'A', a('www.life.example.', '192.0.2.1'));
});

test('random valid RRsets: all servers give the same answers', async () => {
  const { lab } = fleet;
  const domain = await lab.domain('zone.test');
  const samples = fc.sample(zoneSets, { seed: 11, numRuns: 4 });
  const sets = [...new Map(samples.flat().map((set) => [`${set.name} ${set.type}`, set])).values()];
  let serial = 0;
  const stored: string[][] = [];
  for (const sample of samples) {
    const edits = sample
      .filter((set) => set.type !== 'SOA' && !(set.type === 'NS' && set.name === 'zone.test.'))
      .map((set) => ({
        name: set.name,
        type: set.type,
        ttl: Math.min(set.ttl, 86_400),
        records: set.records.map((record) => record.text),
      }));
    serial = (await lab.call('PUT', `/domains/${domain.id}/zone/rrsets`, { rrsets: edits })).serial;
    stored.push(edits.map((edit) => `${edit.name} ${edit.type}`));
    if (stored.length === 1) fleet.nsd.addZone('zone.test');
    await Promise.all(
      fleet.servers.map((server) =>
        until(
          `${server.id} serial ${serial}`,
          async () => summary((await askUdp(server, 'zone.test.', 'SOA'))!),
          (text) => text.includes(` ${serial} `),
        ),
      ),
    );
    const questions = [
      ...edits.map((edit) => [edit.name, edit.type]),
      ...edits.map((edit) => [`no.such.${edit.name}`, edit.type]),
    ];
    for (const [name, type] of questions) {
      const answers = await Promise.all(
        fleet.servers.map(async (server) => summary((await askUdp(server, name!, type!))!)),
      );
      for (const [at, text] of answers.entries())
        if (text !== answers[0]) console.log('DIFF', fleet.servers[at]!.id, name, type, '\n', answers[0], '\n', text);
    }
  }
  expect(sets.length).toBeGreaterThan(40);
});

test('every publication is told once, and nothing is left behind', async () => {
  const db = fleet.lab.house.db.as(everyTenant);
  const behind = () =>
    db.many(sql`
      select z.name, n.id from zone z cross join nameserver n left join zone_publication p on p.zone_id = z.id and p.nameserver_id = n.id
      where z.state = 'active' and p.serial is distinct from z.serial`);
  await until('behind', behind, (rows) => rows.length === 0);
  const told = await db.many<{ serial: number; n: number }>(sql`
    select object_id, payload ->> 'serial' as serial, count(*)::integer as n from event where type = 'zone.published' group by 1, 2`);
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter((row) => row.n !== 1)).toEqual([]);
});
