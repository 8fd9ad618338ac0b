import { DEFAULT_PROFILE } from '@namehold/epp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeContact, makeDomain, newDomain, newLabel } from './support/objects.ts';
import { type Client, startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let hasty: Client;
let contact: string;
beforeAll(async () => {
  registry = await startTestRegistry();
  hasty = registry.client(0, { timeouts: { ...DEFAULT_PROFILE.timeouts, transformMs: 200 } });
  contact = await makeContact(registry.us);
});
afterEach(async () => {
  await registry.control('DELETE', '/faults');
  await registry.control('DELETE', '/held');
});
afterAll(async () => {
  await hasty.close();
  await registry.close();
});

interface HeldLine {
  id: string;
  command: string;
  targets: string[];
  state: string;
  code: number | null;
}

const hold = (fault: object) => registry.control('POST', '/faults', { kind: 'held', limit: 1, ...fault });
const heldOf = async (name: string) =>
  (await registry.control<{ held: HeldLine[] }>('GET', '/held')).held.filter(({ targets }) => targets.includes(name));
const info = (name: string) => registry.us.code({ object: 'domain', verb: 'info', name });
const charges = async (name: string) =>
  (await registry.control<{ entries: object[] }>('GET', `/statement?client=namehold&domain=${name}`)).entries.length;

test('executes a held command later without an answer to the client', async () => {
  const name = `${newLabel('late')}.org`;
  await hold({ commands: ['domain:create'], ms: 600_000 });
  expect((await hasty.send(newDomain(name, contact))).kind).toBe('unknown');
  expect(await info(name)).toBe(2303);
  expect(await heldOf(name)).toMatchObject([{ command: 'domain:create', state: 'held', code: null }]);
  await registry.control('POST', '/held');
  expect(await heldOf(name)).toMatchObject([{ state: 'delivered', code: 1000 }]);
  expect(await info(name)).toBe(1000);
  expect(await charges(name)).toBe(1);
});

test('executes a held command when its time is over', async () => {
  const name = `${newLabel('soon')}.org`;
  await hold({ commands: ['domain:create'], ms: 1 });
  expect((await hasty.send(newDomain(name, contact))).kind).toBe('unknown');
  await expect.poll(async () => (await heldOf(name))[0]?.state).toBe('delivered');
  expect(await info(name)).toBe(1000);
});

test('executes a held command after a query: the first info has the old state, the second the new', async () => {
  const name = `${newLabel('asked')}.org`;
  await hold({ commands: ['domain:create'], until: 'question', how: 'close' });
  expect((await hasty.send(newDomain(name, contact))).kind).toBe('unknown');
  expect(await info(`${newLabel('other')}.org`)).toBe(2303);
  expect(await heldOf(name)).toMatchObject([{ state: 'held' }]);
  expect(await info(name)).toBe(2303);
  expect(await heldOf(name)).toMatchObject([{ state: 'delivered', code: 1000 }]);
  expect(await info(name)).toBe(1000);
});

test('executes a held command after the next one, which succeeds, and refuses the held one', async () => {
  const name = await makeDomain(registry.us, `${newLabel('twice')}.org`);
  const { data } = await registry.us.done({ object: 'domain', verb: 'info', name });
  const renew = {
    object: 'domain',
    verb: 'renew',
    name,
    curExpDate: data.exDate?.toISOString().slice(0, 10) ?? '',
    period: { value: 1, unit: 'y' },
  } as const;
  await hold({ commands: ['domain:renew'], until: 'command' });
  expect((await hasty.send(renew)).kind).toBe('unknown');
  await info(name);
  expect(await heldOf(name)).toMatchObject([{ state: 'held' }]);
  expect((await hasty.done(renew)).code).toBe(1000);
  expect(await heldOf(name)).toMatchObject([{ state: 'delivered', code: 2306 }]);
  expect(await charges(name)).toBe(2);
});

test('never executes a lost command', async () => {
  const name = `${newLabel('lost')}.org`;
  await hold({ commands: ['domain:create'], until: 'question' });
  expect((await hasty.send(newDomain(name, contact))).kind).toBe('unknown');
  const [held] = await heldOf(name);
  await registry.control('DELETE', `/held/${held?.id}`);
  expect(await info(name)).toBe(2303);
  expect(await info(name)).toBe(2303);
  expect(await heldOf(name)).toMatchObject([{ state: 'lost' }]);
});
