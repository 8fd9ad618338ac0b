import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, eachPage, rowsOf, type Side, timeOf } from '../../src/registries/epp/side/call.ts';
import { sideSchema } from '../../src/registries/epp/side/settings.ts';

/** An HTTP API whose next answers a test writes. */
let server: Server;
let answers: { readonly status?: number; readonly text: string }[] = [];
let received: { readonly path: string; readonly form: Record<string, string> }[] = [];
let side: Side;
const password = 'Secret+Word&4711';

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(pieces).toString('utf8')));
    received.push({ path: request.url ?? '', form });
    const { status = 200, text } = answers.shift() ?? { text: '' };
    response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const settings = sideSchema.parse({
    url: `http://127.0.0.1:${port}/api/call.cgi`,
    rowsPerPage: 2,
    answerBytes: 4_096,
  });
  side = { settings, credentials: async () => ({ clID: 'reseller', pw: password }) };
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  answers = [];
  received = [];
});

const answer = (code: number, description: string, ...lines: string[]): string =>
  ['[RESPONSE]', `CODE=${code}`, `DESCRIPTION=${description}`, ...lines, 'QUEUETIME=0', 'EOF', ''].join('\r\n');

test('sends login and command in the body, and nothing in the address', async () => {
  answers = [{ text: answer(200, 'Command completed successfully', 'PROPERTY[AMOUNT][0]=12.50') }];
  expect(await call(side, 'StatusAccount')).toMatchObject({ kind: 'done' });
  expect(received).toEqual([
    { path: '/api/call.cgi', form: { s_login: 'reseller', s_pw: password, command: 'StatusAccount' } },
  ]);
});

test('reads properties in either spelling, with gaps in a column', async () => {
  const lines = ['property[domain][0] = a.org', 'PROPERTY[DOMAIN][2]=c.org', 'PROPERTY[DATE][2]=2026-08-20 13:48:04'];
  answers = [{ text: answer(200, 'ok', ...lines) }];
  const reply = await call(side, 'QueryDomainList');
  if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  const rows = rowsOf(reply.data, 'DOMAIN').map((row) => [row('DOMAIN'), timeOf(side, row('DATE'))?.toISOString()]);
  expect(rows).toEqual([
    ['a.org', undefined],
    ['c.org', '2026-08-20T13:48:04.000Z'],
  ]);
});

describe('an answer that is not one', () => {
  test.each([
    ['a maintenance page with status 200', { text: '<html>Maintenance</html>' }, 'unsent', 'is not complete'],
    ['a cut answer', { text: answer(200, 'ok').replace('EOF', '') }, 'unsent', 'is not complete'],
    ['an empty answer', { text: '' }, 'unsent', 'is not complete'],
    ['status 503', { status: 503, text: answer(200, 'ok') }, 'unsent', 'status 503'],
    ['a redirect', { status: 302, text: '' }, 'unsent', 'redirect'],
    ['a temporary error', { text: answer(421, 'Command failed due to server error') }, 'unsent', '421'],
    ['an answer without a code', { text: '[RESPONSE]\r\nEOF' }, 'unsent', 'no code'],
    ['a wrong password', { text: answer(530, 'Authentication failed') }, 'refused', '530 Authentication failed'],
    ['an answer over the limit', { text: answer(200, 'x'.repeat(5_000)) }, 'unsent', 'longer than 4096 bytes'],
  ] as const)('%s', async (_, given, kind, text) => {
    answers = [given];
    const reply = await call(side, 'StatusAccount');
    expect(reply.kind).toBe(kind);
    expect(JSON.stringify(reply)).toContain(text);
    expect(JSON.stringify(reply)).not.toContain('Secret');
  });

  test('a server that cannot be reached', async () => {
    const away = { ...side, settings: { ...side.settings, url: 'http://127.0.0.1:1/api/call.cgi' } };
    const reply = await call(away, 'StatusAccount');
    expect(reply).toMatchObject({ kind: 'unsent', why: expect.stringContaining('did not answer StatusAccount') });
    expect(JSON.stringify(reply)).not.toContain('Secret');
  });
});

test('reads pages until all rows that the answer states are there', async () => {
  const page = (from: number, names: string[], total: string[]) => ({
    text: answer(
      200,
      'ok',
      ...names.map((name, at) => `PROPERTY[DOMAIN][${at}]=${name}`),
      `PROPERTY[FIRST][0]=${from}`,
      `PROPERTY[COUNT][0]=${names.length}`,
      ...total,
    ),
  });
  const read = async (total: string[]) => {
    received = [];
    answers = [page(0, ['a.org', 'b.org'], total), page(2, ['c.org'], total)];
    const found: (string | undefined)[] = [];
    const rows = (columns: Parameters<typeof rowsOf>[0]) => rowsOf(columns, 'DOMAIN').map((row) => row('DOMAIN'));
    const reply = await eachPage(side, 'QueryDomainList', {}, rows, async (names) => void found.push(...names));
    expect(reply.kind).toBe('done');
    expect(found).toEqual(['a.org', 'b.org', 'c.org']);
    return received.map(({ form }) => [form.FIRST, form.LIMIT]);
  };
  expect(await read(['PROPERTY[TOTAL][0]=3'])).toEqual([
    ['0', '2'],
    ['2', '2'],
  ]);
  expect(await read([])).toEqual([
    ['0', '2'],
    ['2', '2'],
  ]);
});

test('stops at a page that does not state its number of rows', async () => {
  answers = [{ text: answer(200, 'ok', 'PROPERTY[DOMAIN][0]=a.org') }];
  const reply = await eachPage(
    side,
    'QueryDomainList',
    {},
    () => ['a.org'],
    async () => undefined,
  );
  expect(reply).toMatchObject({ kind: 'unsent', why: expect.stringContaining('no number of rows') });
});

test('accepts only an address without a login, by TLS beyond loopback', () => {
  const isAccepted = (url: string) => sideSchema.safeParse({ url }).success;
  expect(isAccepted('https://api.example/api/call.cgi')).toBe(true);
  for (const url of [
    'http://api.example/api/call.cgi',
    'https://me:word@api.example/',
    'https://api.example/?s_pw=word',
    'ftp://127.0.0.1/',
  ])
    expect(isAccepted(url), url).toBe(false);
});
