import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, readHosts, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openRestricted } from '../support/database.ts';
import { type Outage, writeOutages } from './outages.ts';
import { expectConsistent, waitUntilSettled } from './settled.ts';
import { readCreates, Shop } from './shop.ts';
import { type Machine, openPatroni, type PatroniCluster } from './world/patroni.ts';
import { type Installation, openInstallation } from './world.ts';

/** Longer than it takes until the others consider the leader lost. */
const awayMs = 60_000;
const soon = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 600_000, interval: 100 });

let cluster: PatroniCluster;
let installation: Installation;
let shop: Shop;
const outages: Outage[] = [];

beforeAll(async () => {
  installation = await openInstallation({
    services: 1,
    openDatabase: async (folder, name) => {
      cluster = await openPatroni(folder, name);
      return cluster;
    },
  });
  shop = await Shop.open(installation);
});
afterAll(async () => {
  await shop?.close();
  await installation?.dispose();
  if (outages.length === failures.length) writeOutages(outages);
});

const nextLeader = (before: Machine) =>
  soon(async () => expect((await cluster.machineOf('leader')).name).not.toBe(before.name));

interface Failure {
  readonly name: string;
  /** Ends when the fault is over. A lost member returns after the service has continued without it, if possible. */
  readonly happens: (leader: Machine) => Promise<void>;
}

const failures: readonly Failure[] = [
  { name: 'the leader is restarted', happens: async (leader) => void (await leader.ask('POST', '/restart', {})) },
  {
    name: 'the leader is changed (switchover)',
    happens: async (leader) => void (await leader.ask('POST', '/switchover', { leader: leader.name })),
  },
  { name: 'PostgreSQL of the leader is killed', happens: (leader) => leader.killPostgres() },
  {
    name: 'Patroni of the leader is killed, PostgreSQL keeps running',
    async happens(leader) {
      await leader.killPatroni();
      await nextLeader(leader);
      await shop.goesOn();
      leader.startPatroni();
    },
  },
  {
    name: 'the machine of the leader is lost',
    async happens(leader) {
      await leader.lose();
      await nextLeader(leader);
      await shop.goesOn();
      leader.startPatroni();
    },
  },
  {
    name: 'the machine of the leader is suspended, and resumes later',
    async happens(leader) {
      leader.pause();
      await nextLeader(leader);
      await shop.goesOn();
      leader.resume();
    },
  },
  {
    name: 'the machine of the synchronous standby is lost',
    async happens() {
      const standby = await cluster.machineOf('sync_standby');
      await standby.lose();
      await shop.goesOn();
      standby.startPatroni();
    },
  },
  {
    name: `etcd is lost for ${awayMs / 1_000} s`,
    async happens() {
      await cluster.killEtcd();
      await sleep(awayMs);
      cluster.startEtcd();
    },
  },
];

test.each(failures)('executes and charges every accepted order once when $name', async ({ name, happens }) => {
  await cluster.whole();
  await shop.goesOn();
  const since = performance.now();
  await happens(await cluster.machineOf('leader'));
  await cluster.whole();
  await shop.goesOn();
  const orders = shop.acceptedSince(since);
  const [writes, reads] = [shop.longestPause('writes', since), shop.longestPause('reads', since)];

  const accepted = await shop.rest();
  const db = await openRestricted(readHosts(cluster.url)!);
  await waitUntilSettled(db);
  const names = await db.as(allTenants).many<{ name: string }>(sql`
    select d.name from domain d where d.name like 'order-%' and d.state = 'live' order by d.name`);
  expect(names.map((each) => each.name)).toEqual([...accepted].sort());
  const creates = await readCreates(installation);
  expect(creates.toSorted()).toEqual([...accepted].sort());
  await expectConsistent(db);
  await db.close();
  const { code, output } = await installation.command(['verify']);
  expect(code, output).toBe(0);
  expect(shop.unexpected).toEqual([]);
  outages.push({ name, writes, reads, orders });
});
