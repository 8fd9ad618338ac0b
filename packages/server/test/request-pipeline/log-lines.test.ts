import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { demoOf, newFolder, removeFolder, startProcess } from '../support/process.ts';
import { basic } from './support/raw.ts';

const loggerFile = new URL('../../src/logger.ts', import.meta.url).href;
const errorsFile = new URL('../../src/core/errors.ts', import.meta.url).href;

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly n?: number;
  readonly lost?: number;
}

/** A separate process that logs. `code` decides how it ends; it has `logger` and `turn`, the end of an event-loop tick. */
function logging(code: string): ChildProcess {
  const whole = `
    import { createLogger } from ${JSON.stringify(loggerFile)};
    const logger = createLogger('info');
    const turn = () => new Promise((done) => setImmediate(done));
    ${code}`;
  return spawn(process.execPath, ['--input-type=module', '-e', whole], { stdio: ['pipe', 'pipe', 'pipe'] });
}

async function outputOf(child: ChildProcess): Promise<{ lines: Line[]; code: number | null; errors: string }> {
  let [text, errors] = ['', ''];
  child.stdout!.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  child.stderr!.on('data', (piece: Buffer) => {
    errors += piece.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  return { lines: lines.map((line) => JSON.parse(line) as Line), code, errors };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const numbers = (lines: Line[]) => lines.map(({ n }) => n);

test('writes all lines completely and in order', async () => {
  const { lines } = await outputOf(
    logging(
      `for (let n = 0; n < 3000; n++) { logger.info({ n }, 'é'.repeat(n % 50)); if (n % 7 === 0) await turn(); }`,
    ),
  );
  expect(numbers(lines)).toEqual(upTo(3000));
});

test.each([
  ['exits by itself', 'process.exit(3);', 3],
  ['ends by an uncaught exception', `throw new Error('nobody expects this');`, 1],
  ['ends by an unhandled rejection', `Promise.reject(new Error('nobody expects this')); await turn();`, 1],
  [
    'stops on a signal',
    `process.on('SIGTERM', () => process.exit(0)); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`,
    0,
  ],
])('writes lines logged in the last tick when the process %s', async (_, end, expected) => {
  const { lines, code } = await outputOf(logging(`for (let n = 0; n < 100; n++) logger.info({ n }, 'line'); ${end}`));
  expect(numbers(lines)).toEqual(upTo(100));
  expect(code).toBe(expected);
});

test('writes a line in its tick, even before a kill', async () => {
  const child = logging(`
    logger.info({ n: 0 }, 'seen');
    process.stdin.once('data', () => { logger.info({ n: 1 }, 'perhaps'); process.kill(process.pid, 'SIGKILL'); });`);
  const all = outputOf(child);
  await once(child.stdout!, 'data');
  child.stdin!.write('go\n');
  const { lines } = await all;
  expect(numbers(lines).slice(0, 1)).toEqual([0]);
  expect(lines.length).toBeLessThanOrEqual(2);
});

test('drops and counts lines for a blocked reader, without using time or memory', async () => {
  const child = logging(`
    const text = 'x'.repeat(1000);
    for (let n = 0; n < 20_000; n++) { logger.info({ n }, text); if (n % 100 === 0) await turn(); }
    process.stderr.write('went on, ' + Math.round(process.memoryUsage().heapUsed / 1_048_576) + ' MiB');
    process.stdin.once('data', () => { logger.info({ n: 20_000 }, 'after'); process.stdin.destroy(); });`);
  const [piece] = (await once(child.stderr!, 'data')) as [Buffer];
  // 20 MB were logged, of which only a little is buffered.
  expect(Number(/went on, (\d+) MiB/.exec(piece.toString())![1])).toBeLessThan(40);
  const all = outputOf(child);
  const isRead = new Promise<void>((resolve) => {
    child.stdout!.on('data', (read: Buffer) => read.includes('log lines dropped') && resolve());
  });
  await isRead;
  child.stdin!.write('go\n');
  const { lines } = await all;
  const kept = lines.findIndex(({ lost }) => lost !== undefined);
  expect(numbers(lines.slice(0, kept))).toEqual(upTo(kept));
  expect(lines[kept]).toMatchObject({ level: 'warn', lost: 20_000 - kept });
  expect(lines.slice(kept + 1)).toMatchObject([{ n: 20_000 }]);
});

test('exits without waiting for a blocked reader', async () => {
  const child = logging(`
    logger.info('x'.repeat(3_000_000));
    await new Promise((done) => setTimeout(done, 1500));
    logger.info('y');
    process.exit(0);`);
  await once(child, 'exit');
  child.stdout!.destroy();
});

test('continues when the reader exits', async () => {
  const child = logging(`
    process.stdin.once('data', async () => {
      for (let n = 0; n < 100; n++) { logger.info({ n }, 'to nobody'); await turn(); }
      await new Promise((done) => setTimeout(done, 50));
      logger.info('to nobody');
      process.stderr.write('lived on');
      process.exit(0);
    });`);
  child.stdout!.destroy();
  const all = outputOf(child);
  child.stdin!.write('go\n');
  expect(await all).toMatchObject({ code: 0, errors: 'lived on' });
});

test('logs an expected error as one warning, and an unexpected one as an error with its stack', async () => {
  const { lines } = await outputOf(
    logging(`
      const { Refusal } = await import(${JSON.stringify(errorsFile)});
      const of = (text, code) => Object.assign(new Error(text), code ? { code } : {});
      const expected = [
        of('canceling statement due to lock timeout', '55P03'),
        of('deadlock detected', '40P01'),
        of('terminating connection due to administrator command', '57P01'),
        of('Connection terminated unexpectedly'),
        of('Cannot use a pool after calling end on the pool'),
        of('timeout exceeded when trying to connect'),
        new Refusal('unavailable', 'too many orders were before this one'),
      ];
      for (const err of expected) logger.error({ request_id: 'req_1', err }, 'request failed');
      for (const err of [of('it failed'), of('duplicate key', '23505'), of('cut off', '57014'), of('no room', '53100'), of('no such file', 'ENOENT'), new Refusal('not_found')])
        logger.error({ request_id: 'req_2', err }, 'request failed');
      logger.error('alone');`),
  );
  const shown = lines as (Line & { request_id?: string; err?: { message: string; stack?: string } })[];
  const kind = ({ level, request_id, err }: (typeof shown)[number]) =>
    [level, request_id, err && (err.stack === undefined ? 'one line' : 'stack')].join(' ');
  expect(shown.map(kind)).toEqual([
    ...Array.from({ length: 7 }, () => 'warn req_1 one line'),
    ...Array.from({ length: 6 }, () => 'error req_2 stack'),
    'error  ',
  ]);
  expect(shown[0]!.err!.message).toBe('canceling statement due to lock timeout');
});

test('removes fields that can hold a secret at any depth', async () => {
  const { lines } = await outputOf(
    logging(`
      const error = Object.assign(new Error('it failed'), { code: '23505', detail: 'Key (pw)=(SECRET)', where: 'SECRET', parameters: ['SECRET'] });
      logger.info({ password: 'SECRET', pw: null, plain: 'shown', n: 1, at: new Date(0), list: [{ frame: 'SECRET', name: 'shown' }] }, 'one');
      logger.info({ registry: { authorization: 'SECRET', deep: { auth_code: 'SECRET', api_key: { key: 'SECRET' } }, name: 'shown' } }, 'two');
      logger.error({ err: error, newPW: ['SECRET'] }, 'three');
      const request = { id: 'req_1', method: 'GET', url: '/?api_key=SECRET', headers: { authorization: 'SECRET' }, raw: { rawHeaders: ['SECRET'] } };
      logger.error({ req: request, res: { statusCode: 500, request } }, 'four');`),
  );
  expect(JSON.stringify(lines)).not.toContain('SECRET');
  const hidden = '(hidden)';
  expect(lines).toMatchObject([
    {
      password: hidden,
      pw: hidden,
      plain: 'shown',
      n: 1,
      at: '1970-01-01T00:00:00.000Z',
      list: [{ frame: hidden, name: 'shown' }],
    },
    { registry: { authorization: hidden, deep: { auth_code: hidden, api_key: hidden }, name: 'shown' } },
    { err: { type: 'Error', message: 'it failed', code: '23505' }, newPW: hidden },
    { req: { id: 'req_1', method: 'GET' }, res: { statusCode: 500 } },
  ]);
});

test('logs every response that was sent before the service stops', async () => {
  const { url, drop } = await migratedDatabase();
  const folder = newFolder();
  const service = await startProcess({ folder, env: { DATABASE_URL: url, NAMEHOLD_LOG_LEVEL: 'info' } });
  const headers = { Authorization: basic(demoOf(service)) };
  const ids = await Promise.all(
    upTo(60).map(
      async () => (await fetch(`${service.url}/v1/account/profile`, { headers })).headers.get('x-request-id')!,
    ),
  );
  await service.end('SIGTERM');
  const logged = [...service.output().matchAll(/"request_id":"(req_\w+)".*"msg":"request"/g)].map(([, id]) => id);
  expect(logged).toEqual(expect.arrayContaining(ids));
  expect(new Set(ids).size).toBe(60);
  removeFolder(folder);
  await drop();
});
