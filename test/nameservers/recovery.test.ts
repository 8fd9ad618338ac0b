import { afterAll, beforeAll, expect, test } from 'vitest';
import { askUdp, summary, until } from './support/ask.ts';
import { Fleet } from './support/fleet.ts';
import type { LabDomain } from './support/lab.ts';

let fleet: Fleet;
let domain: LabDomain;
const www = (address: string) => [{ name: 'www', type: 'A', ttl: 300, records: [address] }];
const answer = (address: string) => `rcode 0 aa true\nwww.stay.example. 300 A ${address}`;

beforeAll(async () => {
  fleet = await Fleet.start();
  domain = await fleet.lab.domain('stay.example');
  await fleet.lab.patch(domain, www('192.0.2.1'));
  fleet.nsd.addZone('stay.example');
  await fleet.allAnswer('www.stay.example.', 'A', answer('192.0.2.1'));
});

afterAll(() => fleet?.stop());

/** Everything is written down as published at the last serial. */
async function published(of: LabDomain): Promise<void> {
  await until(
    'publication',
    async () => (await fleet.lab.call('GET', `/domains/${of.id}/zone`)).publication,
    (publication) => publication.state === 'published',
    60_000,
  );
}

test('a secondary that dies in the middle of changes and comes back stale catches up; the others never waited', async () => {
  const others = fleet.servers.filter(({ id }) => id !== 'knot1' && id !== 'nsd1');
  await Promise.all([fleet.knot.kill(), fleet.nsd.kill(), fleet.lab.patch(domain, www('192.0.2.2'))]);
  await fleet.allAnswer('www.stay.example.', 'A', answer('192.0.2.2'), others);
  await fleet.lab.patch(domain, www('192.0.2.3'));
  await fleet.allAnswer('www.stay.example.', 'A', answer('192.0.2.3'), others);
  const behind = await until(
    'knot is seen to be away',
    async () => (await fleet.lab.call('GET', `/domains/${domain.id}/zone`)).publication,
    (publication) => publication.nameservers.some((one: { state: string }) => one.state === 'unreachable'),
  );
  expect(behind.state).not.toBe('published');
  await Promise.all([fleet.knot.start(), fleet.nsd.start()]);
  await fleet.allAnswer('www.stay.example.', 'A', answer('192.0.2.3'));
  await published(domain);
});

test('a primary that is killed in mid-transfer and comes back: all converge', async () => {
  const big = await fleet.lab.domain('big.example');
  await fleet.lab.service.kill();
  const records = (from: number) =>
    Array.from({ length: 2_000 }, (_, n) => ({
      name: `h${from + n}`,
      type: 'TXT',
      ttl: 300,
      records: [`text number ${n} of a zone that takes several messages`],
    }));
  for (const from of [0, 2_000, 4_000]) await fleet.lab.patchBeside(big, records(from));
  await fleet.lab.service.start(['transfer.sending']);
  fleet.nsd.addZone('big.example');
  await fleet.lab.service.died();
  // The nameservers go on answering what they have.
  for (const peer of fleet.peers)
    expect(summary((await askUdp(peer, 'www.stay.example.', 'A'))!), peer.id).toBe(answer('192.0.2.3'));
  await fleet.lab.patchBeside(domain, www('192.0.2.4'));
  await fleet.lab.service.start();
  await fleet.allAnswer('www.stay.example.', 'A', answer('192.0.2.4'));
  const last = 'rcode 0 aa true\nh5999.big.example. 300 TXT "text number 1999 of a zone that takes several messages"';
  await fleet.allAnswer('h5999.big.example.', 'TXT', last);
  await Promise.all([published(domain), published(big)]);
});

test('PostgreSQL is stopped: everybody goes on answering, and what is written afterwards arrives', async () => {
  await fleet.stopPostgres();
  for (let round = 0; round < 3; round++)
    for (const server of fleet.servers)
      expect(summary((await askUdp(server, 'www.stay.example.', 'A'))!), server.id).toBe(answer('192.0.2.4'));
  expect((await askUdp(fleet.lab.embedded, 'nothing.stay.example.', 'A'))!.rcode).toBe(3);
  await fleet.startPostgres();
  await until(
    'a write',
    () =>
      fleet.lab.patch(domain, www('192.0.2.5')).then(
        () => true,
        () => false,
      ),
    Boolean,
  );
  await fleet.allAnswer('www.stay.example.', 'A', answer('192.0.2.5'));
  await published(domain);
});
