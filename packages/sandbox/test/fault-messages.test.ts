import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDomain, newLabel } from './support/objects.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
let names: string[];
beforeAll(async () => {
  registry = await startTestRegistry();
});
/** Three messages, of three automatically renewed names, in this order. */
beforeEach(async () => {
  names = [];
  for (const at of [1, 2, 3]) {
    names.push(await makeDomain(registry.us, `${newLabel(`mail${at}`)}.org`));
    await registry.move('+1h');
  }
  await registry.move('+366d');
});
afterEach(async () => {
  await registry.control('DELETE', '/faults');
  for (const name of names) await registry.us.code({ object: 'domain', verb: 'delete', name });
  await registry.move('+40d');
  await readAll();
});
afterAll(() => registry.close());

const turn = (fault: object) => registry.control('POST', '/faults', fault);
const request = () => registry.us.done({ object: 'poll', verb: 'request' });

async function readAll(): Promise<{ id: string; name: string }[]> {
  const read: { id: string; name: string }[] = [];
  for (let left = 20; left > 0; left--) {
    const { msgQ, data } = await request();
    if (msgQ === undefined) break;
    read.push({ id: msgQ.id, name: (data as { name?: string } | undefined)?.name ?? msgQ.text ?? '' });
    await registry.us.done({ object: 'poll', verb: 'ack', msgID: msgQ.id });
  }
  return read;
}

test('delivers a message twice, under two ids', async () => {
  await turn({ kind: 'poll-doubled', limit: 1 });
  const read = await readAll();
  expect(read.map(({ name }) => name)).toEqual([...names, names[0]]);
  expect(new Set(read.map(({ id }) => id)).size).toBe(4);
});

test('delivers each message at most twice', async () => {
  await turn({ kind: 'poll-doubled' });
  const read = await readAll();
  expect(read.map(({ name }) => name).sort()).toEqual([...names, ...names].sort());
});

test('uses an id again for another message', async () => {
  await turn({ kind: 'poll-reused' });
  const read = await readAll();
  expect(read.map(({ name }) => name)).toEqual(names);
  expect(read[1]?.id).toBe(read[2]?.id);
});

test('loses a message', async () => {
  await turn({ kind: 'poll-lost', limit: 1 });
  expect((await readAll()).map(({ name }) => name)).toEqual(names.slice(1));
});

test('delivers the newest message first, until it is acknowledged', async () => {
  await turn({ kind: 'poll-out-of-order', limit: 2 });
  const [first, again] = [await request(), await request()];
  expect(first.data).toMatchObject({ name: names[2] });
  expect(again.data).toEqual(first.data);
  expect((await readAll()).map(({ name }) => name)).toEqual([names[2], names[1], names[0]]);
});
