import { DEFAULT_PROFILE } from '@namehold/epp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeContact, newDomain, newLabel } from './support/objects.ts';
import { codeOf, openRaw, openSession } from './support/raw.ts';
import { type Client, startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let hasty: Client;
let contact: string;
beforeAll(async () => {
  registry = await startTestRegistry();
  hasty = registry.client(0, { timeouts: { ...DEFAULT_PROFILE.timeouts, transformMs: 300, queryMs: 300 } });
  contact = await makeContact(registry.us);
});
afterEach(async () => {
  await registry.control('DELETE', '/faults');
});
afterAll(async () => {
  await hasty.close();
  await registry.close();
});

const turn = (fault: object) => registry.control<{ id: string }>('POST', '/faults', fault);
const exists = async (name: string) => (await registry.us.code({ object: 'domain', verb: 'info', name })) === 1000;
const charges = async (name: string) =>
  (await registry.control<{ entries: object[] }>('GET', `/statement?client=namehold&domain=${name}`)).entries.length;
const create = { commands: ['domain:create'] };

describe('a fault', () => {
  test.each([
    ['answer dropped after the commit', { kind: 'drop-after-commit', ...create }, true],
    ['answer dropped with the connection', { kind: 'drop-after-commit', how: 'close', ...create }, true],
    ['command dropped before processing', { kind: 'drop-before', ...create }, false],
    ['answer later than the timeout', { kind: 'delay', ms: 900, ...create }, true],
    ['connection cut after 3 bytes', { kind: 'cut', bytes: 3, ...create }, true],
    ['connection cut in the body', { kind: 'cut', bytes: 120, ...create }, true],
    ['half a frame', { kind: 'half-frame', ...create }, true],
    ['2400 before', { kind: '2400', when: 'before', ...create }, false],
    ['2400 after', { kind: '2400', when: 'after', ...create }, true],
    ['2500 after', { kind: '2500', when: 'after', ...create }, true],
    ['maintenance', { kind: 'maintenance', ...create }, false],
  ] as const)('leaves the outcome unknown: %s', async (_, fault, made) => {
    await turn({ ...fault, limit: 1 });
    const name = `${newLabel('lost')}.org`;
    const answer = await hasty.send(newDomain(name, contact));
    expect(answer.kind).toBe('unknown');
    expect(await exists(name)).toBe(made);
    expect(await charges(name)).toBe(made ? 1 : 0);
    // The next command succeeds, on a new connection if necessary.
    const next = `${newLabel('next')}.org`;
    expect((await hasty.done(newDomain(next, contact))).code).toBe(1000);
  });
});

test('begins a fault after a command about the same name', async () => {
  const [name, other] = [`${newLabel()}.org`, `${newLabel()}.org`] as const;
  const created = (of: string) => registry.us.done(newDomain(of, contact));
  await turn({ kind: '2400', when: 'before', commands: ['domain:info'], name, after: 'domain:renew' });
  await created(other);
  await created(name);
  const query = (of: string) => registry.us.code({ object: 'domain', verb: 'info', name: of });
  const renew = async (of: string) => {
    const { data } = await registry.us.done({ object: 'domain', verb: 'info', name: of });
    return registry.us.code({
      object: 'domain',
      verb: 'renew',
      name: of,
      curExpDate: (data as { exDate: Date }).exDate.toISOString().slice(0, 10),
      period: { value: 1, unit: 'y' },
    });
  };
  expect(await renew(other)).toBe(1000);
  expect(await query(name)).toBe(1000);
  expect(await renew(name)).toBe(1000);
  expect(await query(name)).toBe(2400);
  expect(await query(other)).toBe(1000);
});

test('refuses the session, not the command, with 2502 and the session limit', async () => {
  await turn({ kind: 'session-limit', limit: 1 });
  const raw = await openRaw(registry.sandbox);
  expect(codeOf(await raw.login())).toBe(2502);
  await raw.closed();
  const again = await openSession(registry.sandbox);
  await turn({ kind: '2502', ...create, limit: 1 });
  const name = `${newLabel()}.org`;
  expect(codeOf(await again.send(newDomain(name, contact)))).toBe(2502);
  await again.closed();
  expect(await exists(name)).toBe(false);
});

test('allows the configured number of sessions', async () => {
  const first = await openSession(registry.sandbox, 1);
  await turn({ kind: 'session-limit', client: 'rival', sessions: 2 });
  const second = await openSession(registry.sandbox, 1);
  const third = await openRaw(registry.sandbox, { index: 1 });
  expect(codeOf(await third.login())).toBe(2502);
  for (const raw of [first, second, third]) raw.close();
});

test('closes the connection for a repeated clTRID', async () => {
  await turn({ kind: 'repeated-cltrid' });
  const raw = await openSession(registry.sandbox);
  expect(codeOf(await raw.send({ object: 'poll', verb: 'request' }, 'SAME-1'))).toBe(1300);
  expect(codeOf(await raw.send({ object: 'poll', verb: 'request' }, 'SAME-2'))).toBe(1300);
  await expect(raw.send({ object: 'poll', verb: 'request' }, 'SAME-1')).rejects.toThrow('closed');
});

test('sends a complete answer in pieces of two bytes', async () => {
  await turn({ kind: 'slow', bytes: 2, ms: 0, commands: ['check'] });
  const { data } = await registry.us.done({ object: 'domain', verb: 'check', names: [`${newLabel()}.org`] });
  expect(data.items[0]?.available).toBe(true);
});

test('affects only matching commands: command, registrar, name, number of times', async () => {
  await turn({ kind: '2400', when: 'before', client: 'rival', commands: ['check'] });
  const check = { object: 'domain', verb: 'check', names: ['struck.org'] } as const;
  expect(await registry.us.code(check)).toBe(1000);
  expect(await registry.otherRegistrar.code(check)).toBe(2400);
  expect(await registry.otherRegistrar.code({ object: 'poll', verb: 'request' })).toBe(1300);
  await registry.control('DELETE', '/faults');
  const { id } = await turn({ kind: '2400', when: 'before', name: 'struck.org', limit: 1 });
  expect(await registry.us.code({ ...check, names: ['other-one.org'] })).toBe(1000);
  expect(await registry.us.code(check)).toBe(2400);
  expect(await registry.us.code(check)).toBe(1000);
  const { faults } = await registry.control<{ faults: object[] }>('GET', '/faults');
  expect(faults).toMatchObject([{ id, kind: '2400', struck: 1 }]);
});

test('affects the same commands with the same seed', async () => {
  const run = async (seed: number) => {
    await registry.control('DELETE', '/faults');
    await turn({ kind: '2400', when: 'before', rate: 0.3, seed, commands: ['domain:check'] });
    const codes: number[] = [];
    for (let at = 0; at < 40; at++)
      codes.push(await registry.us.code({ object: 'domain', verb: 'check', names: ['seeded.org'] }));
    return codes.join(' ');
  };
  const first = await run(7);
  expect(await run(7)).toBe(first);
  expect(await run(8)).not.toBe(first);
  const struck = first.split(' ').filter((code) => code === '2400').length;
  expect(struck).toBeGreaterThan(3);
  expect(struck).toBeLessThan(25);
});

test('refuses an invalid fault rule', async () => {
  await expect(turn({ kind: 'gremlins' })).rejects.toThrow('400');
  await expect(turn({ kind: 'delay', rate: 2 })).rejects.toThrow('400');
  await expect(turn({ kind: 'delay', sometimes: true })).rejects.toThrow('unknown field');
});
