import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { asCurl, call, hooks, resourcePathOf, retryCountdown, send } from '../../src/api/call.ts';
import { ApiError } from '../../src/api/error.ts';

interface Sent {
  readonly address: string;
  readonly init: RequestInit;
  readonly headers: Headers;
}

let sent: Sent[];
let answers: (() => Response | Promise<Response>)[];
const before = { ...hooks, fetch: globalThis.fetch };

beforeEach(() => {
  sent = [];
  answers = [];
  globalThis.fetch = (async (address: string, init: RequestInit) => {
    sent.push({ address, init, headers: new Headers(init.headers) });
    const next = answers.shift();
    if (!next) throw new Error('no answer is left');
    return next();
  }) as typeof fetch;
});
afterEach(() => {
  vi.useRealTimers();
  const { fetch, ...others } = before;
  globalThis.fetch = fetch;
  Object.assign(hooks, others);
});

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
const ok = () => json(200, { done: true });
const refused =
  (status: number, code: string, headers = {}) =>
  () =>
    json(status, { code }, headers);
const keysSent = () => sent.map(({ headers }) => headers.get('Idempotency-Key'));
const failure = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

/** A response whose connection ends in the middle of the body. */
const cut = (type: string, status = 200) =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"operation_id":')),
      pull: (stream) => stream.error(new TypeError('terminated')),
    }),
    { status, headers: { 'Content-Type': type } },
  );

describe('addressOf', () => {
  test.each([
    ['/domains', {}, '/v1/domains'],
    ['/domains/{domain_id}', { path: { domain_id: 'a/b?c#d' } }, '/v1/domains/a%2Fb%3Fc%23d'],
    ['/a/{x}/{y}', { path: { x: 1, y: 'bücher' } }, '/v1/a/1/b%C3%BCcher'],
    ['/domains', { query: { limit: 25, page_no: undefined, name: '' } }, '/v1/domains?limit=25'],
    [
      '/domains',
      { query: { name: 'a&b=c d', is_locked: false, n: 0 } },
      '/v1/domains?name=a%26b%3Dc+d&is_locked=false&n=0',
    ],
    ['/x', { query: { ids: ['1', '2'] } }, '/v1/x?ids=1%2C2'],
  ])('fills %s with %j', (path, inputs, address) => {
    expect(resourcePathOf(path, inputs)).toBe(address);
  });
});

describe('a request', () => {
  test('sends the console header and the language with a read, and no idempotency key', async () => {
    document.documentElement.lang = 'id';
    answers = [ok];
    await send('get', '/v1/domains', undefined);
    const [{ init, headers }] = sent as [Sent];
    expect([init.method, init.body]).toEqual(['GET', undefined]);
    expect([headers.get('Namehold-Console'), headers.get('Accept-Language')]).toEqual(['1', 'id']);
    expect([headers.get('Idempotency-Key'), headers.get('Content-Type')]).toEqual([null, null]);
    document.documentElement.lang = 'en';
  });

  test('sends a new idempotency key with each write, unless one is given', async () => {
    answers = [ok, ok, ok];
    await send('post', '/v1/domains', {});
    await send('post', '/v1/domains', {});
    await send('post', '/v1/domains', {}, { idempotencyKey: 'mine', ifMatch: '"7"' });
    const [first, second, third] = keysSent();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
    expect([third, sent[2]?.headers.get('If-Match')]).toEqual(['mine', '"7"']);
  });

  test('sends a text as text and any other body as JSON', async () => {
    answers = [ok, ok];
    await send('put', '/v1/zone', '$ORIGIN example.com.');
    await send('put', '/v1/domains', { name: 'bücher' });
    expect(sent.map(({ init, headers }) => [headers.get('Content-Type'), init.body])).toEqual([
      ['text/plain; charset=utf-8', '$ORIGIN example.com.'],
      ['application/json', '{"name":"bücher"}'],
    ]);
  });
});

describe('a response', () => {
  test.each([
    ['JSON', () => json(202, { operation_id: 'op_1' }), { operation_id: 'op_1' }],
    ['text', () => new Response('$ORIGIN .', { headers: { 'Content-Type': 'text/plain' } }), '$ORIGIN .'],
    ['no content', () => new Response(null, { status: 204 }), ''],
  ])('returns %s with its status and headers', async (_, answer, body) => {
    answers = [answer];
    expect((await send('get', '/v1/x', undefined)).body).toEqual(body);
  });

  test('throws the error of a response, also without JSON', async () => {
    answers = [refused(409, 'conflict'), () => new Response('<html>bad gateway', { status: 502 }), () => json(500, {})];
    expect(await failure(send('get', '/v1/x', undefined))).toMatchObject({ status: 409, code: 'conflict' });
    expect(await failure(send('get', '/v1/x', undefined))).toMatchObject({ status: 502, code: 'unreadable' });
    expect(await failure(send('get', '/v1/x', undefined))).toMatchObject({ status: 500, code: 'unreadable' });
  });

  test.each(['application/json', 'text/plain'])(
    'reports an unknown outcome if a response of %s ends early',
    async (type) => {
      answers = [() => cut(type), () => cut(type, 500)];
      const error = await failure(send('post', '/v1/domains', {}));
      expect([error.isOffline, error.isRefusal]).toEqual([true, false]);
      expect(await failure(send('post', '/v1/domains', {}))).toMatchObject({ status: 500 });
    },
  );

  test('reports a missing response as disconnected, and the next one as connected', async () => {
    const reached: boolean[] = [];
    hooks.reached = (isReached) => void reached.push(isReached);
    answers = [() => Promise.reject(new TypeError('fetch failed')), ok];
    expect((await failure(send('get', '/v1/x', undefined))).isOffline).toBe(true);
    await send('get', '/v1/x', undefined);
    expect(reached).toEqual([false, true]);
  });

  test('reports neither an API error nor a disconnection for a cancelled request', async () => {
    const reached = vi.fn();
    hooks.reached = reached;
    const leaving = new AbortController();
    answers = [() => Promise.reject(leaving.signal.reason)];
    leaving.abort();
    const cause = await send('get', '/v1/x', undefined, { signal: leaving.signal }).catch((each: unknown) => each);
    expect(cause).not.toBeInstanceOf(ApiError);
    expect(reached).not.toHaveBeenCalled();
  });
});

describe('an expired session', () => {
  test('is renewed, and the same request is sent again with the same key', async () => {
    hooks.signedOut = async () => true;
    answers = [refused(401, 'unauthorized'), ok];
    await send('post', '/v1/domains', { a: 1 });
    expect(sent.map(({ init }) => init.body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(new Set(keysSent()).size).toBe(1);
  });

  test('drops the request if another user signed in', async () => {
    hooks.signedOut = async () => false;
    answers = [refused(401, 'unauthorized')];
    expect((await failure(send('post', '/v1/domains', {}))).status).toBe(401);
    expect(sent).toHaveLength(1);
  });

  test('is not renewed twice for one request', async () => {
    hooks.signedOut = async () => true;
    answers = [refused(401, 'unauthorized'), refused(401, 'unauthorized')];
    expect((await failure(send('get', '/v1/x', undefined))).status).toBe(401);
  });

  test('does not open the sign-in form over the sign-in form', async () => {
    const signedOut = vi.fn(async () => true);
    hooks.signedOut = signedOut;
    answers = [refused(401, 'unauthorized')];
    await failure(call('get', '/session', {}, { isSignIn: true }));
    expect(signedOut).not.toHaveBeenCalled();
  });
});

describe('an identity check', () => {
  test.each([
    [true, 2],
    [false, 1],
  ])('answers the check with %s and sends the request %i times', async (isConfirmed, times) => {
    hooks.identityRequired = async ({ facts }) => facts.code === 'reauthentication_required' && isConfirmed;
    answers = [refused(403, 'reauthentication_required'), ok];
    await send('delete', '/v1/account/keys/1', undefined).catch(() => undefined);
    expect(sent).toHaveLength(times);
    expect(new Set(keysSent()).size).toBe(1);
  });

  test('is not asked for by other refusals with status 403', async () => {
    const identityRequired = vi.fn(async () => true);
    hooks.identityRequired = identityRequired;
    answers = [refused(403, 'scope_missing')];
    await failure(send('get', '/v1/x', undefined));
    expect(identityRequired).not.toHaveBeenCalled();
  });
});

describe('a rate limit', () => {
  const limited = (seconds: string) => refused(429, 'rate_limited', { 'Retry-After': seconds });

  test('is waited for once, with a countdown', async () => {
    vi.useFakeTimers();
    answers = [limited('3'), ok];
    const work = send('post', '/v1/domains', {});
    await vi.advanceTimersByTimeAsync(0);
    expect([retryCountdown.value, sent.length]).toEqual([3, 1]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([retryCountdown.value, sent.length]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(1_000);
    await work;
    expect([retryCountdown.value, sent.length]).toEqual([undefined, 2]);
    expect(new Set(keysSent()).size).toBe(1);
  });

  test.each(['61', 'Wed, 21 Oct 2026 07:28:00 GMT'])('throws at once with Retry-After: %s', async (seconds) => {
    answers = [limited(seconds)];
    expect((await failure(send('get', '/v1/x', undefined))).status).toBe(429);
    expect(sent).toHaveLength(1);
  });

  test('throws after one wait if the rate limit lasts longer', async () => {
    vi.useFakeTimers();
    answers = [limited('1'), limited('1')];
    const work = failure(send('get', '/v1/x', undefined));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await work).status).toBe(429);
  });

  test('is not waited for after the page was left', async () => {
    vi.useFakeTimers();
    const leaving = new AbortController();
    answers = [limited('60'), () => Promise.reject(leaving.signal.reason)];
    const work = send('get', '/v1/x', undefined, { signal: leaving.signal }).catch((each: unknown) => each);
    await vi.advanceTimersByTimeAsync(1_000);
    leaving.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await work).not.toBeInstanceOf(ApiError);
    expect(retryCountdown.value).toBeUndefined();
  });
});

describe('asCurl', () => {
  test('quotes hostile values for a shell', () => {
    const command = asCurl('post', '/v1/x', { name: "it's; $(rm -rf /)" });
    expect(command).toContain(`-d '{"name":"it'\\''s; $(rm -rf /)"}'`);
    expect(command).toMatch(/-H 'Idempotency-Key: [0-9a-f-]{36}'/);
  });
  test('writes a read without body and key', () => {
    expect(asCurl('get', '/v1/domains?limit=1')).toBe(
      `curl -u RESELLER_ID:API_KEY -X GET '${location.origin}/v1/domains?limit=1'`,
    );
  });
});
