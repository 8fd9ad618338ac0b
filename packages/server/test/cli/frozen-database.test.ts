import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { databaseUrl } from '../../../../test/support/database.ts';
import { whileAnswering } from '../../src/database-watch.ts';
import { unreachable } from '../../src/unreachable.ts';

const times = { everyMs: 20, limitMs: 100 };
const never = () => new Promise<never>(() => undefined);

test('ends a command whose database accepts connections and answers nothing', async () => {
  const sockets = new Set<Socket>();
  const frozen = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(frozen, 'listening');
  const { port } = frozen.address() as AddressInfo;
  const url = `postgresql://nobody:hidden@127.0.0.1:${port}/none`;
  try {
    await expect(whileAnswering(url, never, times)).rejects.toThrow(
      new RegExp(`^the database at 127.0.0.1:${port} has not answered for 0.1 seconds: check that PostgreSQL`),
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    frozen.close();
  }
});

test('lets a command run as long as its database answers or refuses connections', async () => {
  for (const url of [databaseUrl('postgres'), 'postgresql://nobody@127.0.0.1:1/none']) {
    const pause = Promise.withResolvers<string>();
    const running = whileAnswering(url, () => pause.promise, { everyMs: 1, limitMs: 300_000 });
    pause.resolve('done');
    expect(await running).toBe('done');
  }
});

test('names the setting if the first connection gets no answer', () => {
  const refused = unreachable(
    'DATABASE_URL',
    'postgresql://me:hidden@db.example/namehold',
    new Error('timeout expired'),
  );
  expect(String(refused)).toMatch(/the database at db\.example:5432 cannot be reached \(timeout expired\)/);
});
