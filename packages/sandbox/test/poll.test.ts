import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDomain, newLabel } from './support/objects.ts';
import { codeOf, openRaw, openSession } from './support/raw.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(() => registry.close());

test('delivers messages in order, keeps them until the ack, and announces them in other answers', async () => {
  const { us } = registry;
  expect((await us.done({ object: 'poll', verb: 'request' })).code).toBe(1300);
  const first = await makeDomain(us, `${newLabel('a')}.org`);
  await registry.move('+1h');
  const second = await makeDomain(us, `${newLabel('b')}.org`);
  await registry.move('+366d');

  const check = await us.done({ object: 'domain', verb: 'check', names: ['whatever-it-is.org'] });
  expect(check.msgQ).toMatchObject({ count: 2 });
  const head = await us.done({ object: 'poll', verb: 'request' });
  expect(head.code).toBe(1301);
  expect(head.msgQ).toMatchObject({ count: 2, text: expect.stringContaining('renewed') });
  expect(head.data).toMatchObject({ object: 'domain', type: 'renData', name: first });
  const again = await us.done({ object: 'poll', verb: 'request' });
  expect(again.msgQ?.id).toBe(head.msgQ?.id);

  expect(await us.code({ object: 'poll', verb: 'ack', msgID: '999999' })).toBe(2303);
  expect(await registry.otherRegistrar.code({ object: 'poll', verb: 'ack', msgID: head.msgQ?.id as string })).toBe(
    2303,
  );
  const acked = await us.done({ object: 'poll', verb: 'ack', msgID: head.msgQ?.id as string });
  expect(acked.msgQ?.count).toBe(1);
  const next = await us.done({ object: 'poll', verb: 'request' });
  expect(next.data).toMatchObject({ name: second });
  await us.done({ object: 'poll', verb: 'ack', msgID: next.msgQ?.id as string });
  expect((await us.done({ object: 'poll', verb: 'request' })).code).toBe(1300);
  expect((await us.done({ object: 'domain', verb: 'check', names: ['whatever-it-is.org'] })).msgQ).toBeUndefined();
});

test('gives a message the time of its event, not of its processing', async () => {
  const name = await makeDomain(registry.us, `${newLabel()}.org`);
  const { data } = await registry.us.done({ object: 'domain', verb: 'info', name });
  await registry.move('+400d');
  const raw = await openSession(registry.sandbox);
  for (let read = 0; ; read += 1) {
    expect(read, 'messages before the one of the domain').toBeLessThan(1_000);
    const message = await raw.send({ object: 'poll', verb: 'request' });
    if (message.data?.object === 'domain' && 'name' in message.data && message.data.name === name) {
      expect(message.msgQ?.qDate).toEqual(data.exDate);
      break;
    }
    expect(codeOf(message)).toBe(1301);
    await raw.send({ object: 'poll', verb: 'ack', msgID: message.msgQ?.id as string });
  }
  raw.close();
});

test('reports a low balance once each time it falls below the threshold', async () => {
  const { otherRegistrar } = registry;
  await registry.control('POST', '/accounts/rival', { balance: '30.00', low_balance_threshold: '20.00' });
  const waiting = async () => (await otherRegistrar.done({ object: 'poll', verb: 'request' })).msgQ?.count ?? 0;
  const name = await makeDomain(otherRegistrar, `${newLabel()}.org`);
  expect(await waiting()).toBe(1);
  await makeDomain(otherRegistrar, `${newLabel()}.org`).catch(() => {});
  expect(await waiting()).toBe(1);
  const message = await otherRegistrar.done({ object: 'poll', verb: 'request' });
  expect(message.data).toMatchObject({
    object: 'lowBalance',
    registrarName: 'Other Registrar',
    threshold: { type: 'FIXED', value: '20.00' },
    availableCredit: '19.26',
  });
  await otherRegistrar.done({ object: 'domain', verb: 'delete', name });
  await registry.control('POST', '/accounts/rival', { balance: '25.00' });
  await makeDomain(otherRegistrar, `${newLabel()}.org`);
  expect(await waiting()).toBe(2);
});

test('sends a low balance as in RFC 9038, or as text only, to a client without the extension', async () => {
  const plain = await openRaw(registry.sandbox, { index: 1 });
  await plain.login({ objURIs: [], extURIs: [] });
  const words = await plain.send({ object: 'poll', verb: 'request' });
  expect(codeOf(words)).toBe(1301);
  expect(words.data).toBeUndefined();
  expect(words.msgQ?.text).toBe('Low account balance');
  plain.close();
});
