import { describe, expect, test } from 'vitest';
import { Backoff } from '../src/client/backoff.ts';
import { CheckBatcher } from '../src/client/check-batcher.ts';
import { isTransform, targetsOf, toAnswer } from '../src/client/outcome.ts';
import { PriorityQueue, priorityOf } from '../src/client/priority-queue.ts';
import { TokenBucket } from '../src/client/token-bucket.ts';
import { type DomainCheckRequest, type EppResponse, redactFrame } from '../src/index.ts';
import { ManualClock } from './support/clock.ts';
import { TEST_PROFILE } from './support/registry.ts';

describe('waiting after a refusal', () => {
  test('doubles up to its limit, and one success forgets it', () => {
    const clock = new ManualClock();
    const backoff = new Backoff(clock, { firstMs: 30_000, maxMs: 100_000 });
    expect(backoff.untilMs).toBeUndefined();
    expect([backoff.refused(), backoff.refused(), backoff.refused(), backoff.refused()]).toEqual([
      30_000, 60_000, 100_000, 100_000,
    ]);
    expect(backoff.untilMs).toBe(clock.nowMs() + 100_000);
    clock.advance(99_999);
    expect(backoff.untilMs).toBeDefined();
    clock.advance(1);
    expect(backoff.untilMs).toBeUndefined();
    backoff.succeeded();
    expect(backoff.refused()).toBe(30_000);
  });
});

describe('pace', () => {
  test('one second’s worth at once, then as they come back', () => {
    const clock = new ManualClock();
    const pacing = new TokenBucket(4, clock);
    expect(Array.from({ length: 4 }, () => pacing.take().taken)).toEqual([true, true, true, true]);
    expect(pacing.take()).toEqual({ taken: false, waitMs: 250 });
    clock.advance(250);
    expect(pacing.take().taken).toBe(true);
    expect(pacing.take()).toEqual({ taken: false, waitMs: 250 });
    // A long rest is worth one second and no more.
    clock.advance(3_600_000);
    expect(Array.from({ length: 5 }, () => pacing.take().taken)).toEqual([true, true, true, true, false]);
  });

  test('less than one a second still lets one go', () => {
    const clock = new ManualClock();
    const pacing = new TokenBucket(0.5, clock);
    expect(pacing.take().taken).toBe(true);
    expect(pacing.take()).toEqual({ taken: false, waitMs: 2_000 });
    clock.advance(1_999);
    expect(pacing.take().taken).toBe(false);
    clock.advance(1);
    expect(pacing.take().taken).toBe(true);
  });

  test('logins leave a debt that commands pay', () => {
    const clock = new ManualClock();
    const pacing = new TokenBucket(2, clock);
    for (let login = 0; login < 4; login += 1) pacing.charge();
    expect(pacing.take()).toEqual({ taken: false, waitMs: 1_500 });
  });
});

describe('lanes', () => {
  const domain = { object: 'domain', name: 'a.com' } as const;
  test('money, people, the rest', () => {
    expect(priorityOf({ ...domain, verb: 'delete' })).toBe('money');
    expect(priorityOf({ ...domain, verb: 'transfer', op: 'approve' })).toBe('money');
    expect(priorityOf({ ...domain, verb: 'transfer', op: 'query' })).toBe('interactive');
    expect(priorityOf({ ...domain, verb: 'info' })).toBe('interactive');
    expect(priorityOf({ object: 'poll', verb: 'ack', msgID: '1' })).toBe('background');
  });

  test('what could not leave goes back to the head; what is called off is gone', () => {
    const queue = new PriorityQueue<string>();
    queue.push('interactive', 'a');
    queue.push('interactive', 'b');
    queue.push('background', 'c');
    expect(queue.peek(() => false)).toEqual({ lane: 'interactive', job: 'a' });
    queue.take('interactive');
    queue.unshift('interactive', 'a');
    expect(queue.peek(() => false)).toEqual({ lane: 'interactive', job: 'a' });
    expect(queue.peek((lane) => lane === 'interactive')).toEqual({ lane: 'background', job: 'c' });
    expect(queue.remove('interactive', 'b')).toBe(true);
    expect(queue.remove('interactive', 'b')).toBe(false);
    expect(queue.counts()).toEqual({ money: 0, interactive: 1, background: 1 });
    queue.push('money', 'm');
    expect(queue.drain()).toEqual(['m', 'a', 'c']);
    expect(queue.size).toBe(0);
  });
});

describe('what an answer means', () => {
  const info = { object: 'domain', verb: 'info', name: 'a.com' } as const;
  const removal = { object: 'domain', verb: 'delete', name: 'a.com' } as const;
  const answered = (results: { code: number; msg?: string; reasons?: string[] }[], data?: object) => ({
    kind: 'answered' as const,
    frame: '<epp/>',
    response: {
      results: results.map(({ code, msg = 'text', reasons = [] }) => ({
        code,
        msg,
        extValues: reasons.map((reason) => ({ value: '', reason })),
      })),
      ext: {},
      svTRID: 'SV-1',
      ...(data === undefined ? {} : { data }),
    } as unknown as EppResponse,
  });

  test.each([2400, 2500])('%i says neither yes nor no', (code) => {
    expect(toAnswer(removal, 'C-1', answered([{ code, msg: 'failed', reasons: ['disk'] }]))).toMatchObject({
      kind: 'unknown',
      why: 'server-error',
      code,
      text: 'failed; disk',
      svTRID: 'SV-1',
    });
  });

  test('an uncertain result among others makes all of it uncertain', () => {
    expect(toAnswer(removal, 'C-1', answered([{ code: 2305 }, { code: 2400 }]))).toMatchObject({ kind: 'unknown' });
  });

  test.each([2002, 2200, 2501, 2502])('%i is about the connection', (code) => {
    expect(toAnswer(removal, 'C-1', answered([{ code }]))).toMatchObject({ kind: 'refused', sessionFault: true });
  });

  test('a refusal tells every reason of every result', () => {
    const answer = toAnswer(
      removal,
      'C-1',
      answered([
        { code: 2304, msg: 'status', reasons: ['clientDeleteProhibited', ''] },
        { code: 2305, msg: 'linked', reasons: ['ns1.a.com'] },
      ]),
    );
    expect(answer).toMatchObject({
      kind: 'refused',
      code: 2304,
      sessionFault: false,
      reasons: ['clientDeleteProhibited', 'linked', 'ns1.a.com'],
    });
  });

  test('1001 is done and pending; a transform needs no data', () => {
    expect(toAnswer(removal, 'C-1', answered([{ code: 1001 }]))).toMatchObject({ kind: 'done', pending: true });
    expect(toAnswer(removal, 'C-1', answered([{ code: 1000 }]))).toMatchObject({ kind: 'done', pending: false });
  });

  test('a question that is "done" without its answer is not', () => {
    const why = { kind: 'unknown', why: 'unreadable-answer' };
    expect(toAnswer(info, 'C-1', answered([{ code: 1000 }]))).toMatchObject(why);
    const ofAnother = { type: 'infData', object: 'host' };
    expect(toAnswer(info, 'C-1', answered([{ code: 1000 }], ofAnother))).toMatchObject(why);
    const right = { type: 'infData', object: 'domain' };
    expect(toAnswer(info, 'C-1', answered([{ code: 1000 }], right))).toMatchObject({ kind: 'done', data: right });
  });

  test('which commands change something, and what they are about', () => {
    expect(isTransform(removal)).toBe(true);
    expect(isTransform(info)).toBe(false);
    expect(isTransform({ object: 'poll', verb: 'request' })).toBe(false);
    expect(isTransform({ object: 'poll', verb: 'ack', msgID: '9' })).toBe(true);
    expect(targetsOf({ object: 'domain', verb: 'check', names: ['a.com', 'b.com'] })).toEqual(['a.com', 'b.com']);
    expect(targetsOf({ object: 'contact', verb: 'check', ids: ['abc'] })).toEqual(['abc']);
    expect(targetsOf({ object: 'contact', verb: 'delete', id: 'abc' })).toEqual(['abc']);
    expect(targetsOf({ object: 'poll', verb: 'ack', msgID: '9' })).toEqual(['9']);
    expect(targetsOf({ object: 'poll', verb: 'request' })).toEqual([]);
  });
});

describe('names that are asked together', () => {
  const done = (request: DomainCheckRequest, items = request.names.map((id) => ({ id, available: true }))) => ({
    kind: 'done' as const,
    code: 1000,
    pending: false,
    text: '',
    data: { object: 'domain' as const, type: 'chkData' as const, items },
    ext: {},
    results: [],
    clTRID: 'C-1',
    svTRID: 'SV-1',
    frame: '',
  });

  test('a name that the answer leaves out is unknown, the others are not', async () => {
    const clock = new ManualClock();
    const gatherer = new CheckBatcher(
      async (request) => done(request, [{ id: 'A.COM', available: false }]),
      TEST_PROFILE,
      clock,
    );
    const [a, b] = [
      gatherer.check('a.com', undefined, 'interactive'),
      gatherer.check('b.com', undefined, 'interactive'),
    ];
    clock.advance(TEST_PROFILE.checkGatherMs);
    expect(await a).toMatchObject({ kind: 'done', data: { item: { available: false } } });
    expect(await b).toMatchObject({ kind: 'unknown', why: 'unreadable-answer' });
  });

  test('a failure is told to everybody, and the next question is a new one', async () => {
    const clock = new ManualClock();
    let sent = 0;
    const gatherer = new CheckBatcher(
      async (request) => {
        sent += 1;
        if (sent === 1) throw new Error('gone');
        return done(request);
      },
      TEST_PROFILE,
      clock,
    );
    const both = ['a.com', 'b.com'].map((name) => gatherer.check(name, undefined, 'interactive'));
    clock.advance(TEST_PROFILE.checkGatherMs);
    for (const each of await Promise.allSettled(both)) expect(each.status).toBe('rejected');
    const again = gatherer.check('a.com', undefined, 'interactive');
    clock.advance(TEST_PROFILE.checkGatherMs);
    expect(await again).toMatchObject({ kind: 'done' });
    expect(sent).toBe(2);
  });

  test('lanes do not mix', async () => {
    const clock = new ManualClock();
    const asked: (readonly string[])[] = [];
    const gatherer = new CheckBatcher(
      async (request) => {
        asked.push(request.names);
        return done(request);
      },
      TEST_PROFILE,
      clock,
    );
    const all = [
      gatherer.check('a.com', undefined, 'money'),
      gatherer.check('A.com', undefined, 'money'),
      gatherer.check('a.com', undefined, 'interactive'),
    ];
    clock.advance(TEST_PROFILE.checkGatherMs);
    await Promise.all(all);
    expect(asked).toEqual([['a.com'], ['a.com']]);
  });
});

describe('secrets in frames are hidden', () => {
  const shown = (xml: string) => redactFrame(`<epp>${xml}</epp>`);
  test.each([
    ['plain', '<pw>hush</pw>'],
    ['a new password', '<newPW>hush</newPW>'],
    ['another prefix', '<obj:pw roid="X-1">hush</obj:pw>'],
    ['over lines', '<domain:authInfo>\n<domain:pw>\nhush\n</domain:pw>\n</domain:authInfo>'],
    ['an ext of its own', '<domain:authInfo><domain:ext><x:code>hush</x:code></domain:ext></domain:authInfo>'],
    ['twice', '<pw>hush</pw><newPW>hush</newPW>'],
    ['unclosed', '<pw>hush'],
    ['in CDATA', '<pw><![CDATA[hush]]></pw>'],
    ['in CDATA that looks like an end', '<domain:pw><![CDATA[a</domain:pw>hush]]></domain:pw>'],
    ['behind a comment that looks like an end', '<pw><!-- </pw> -->hush</pw>'],
    ['a prefix in letters of another script', '<домен:pw>hush</домен:pw>'],
    ['an ext of its own under such a prefix', '<é:authInfo><é:ext><x>hush</x></é:ext></é:authInfo>'],
    ['behind a mark in an attribute', '<pw roid="a>b">hush</pw>'],
    ['behind an empty one', '<pw/><pw>hush</pw>'],
  ])('%s', (_what, xml) => {
    expect(shown(xml)).not.toContain('hush');
    expect(shown(xml)).toContain('***');
  });

  test('and nothing else is', () => {
    const xml = '<domain:name>hush.com</domain:name><pw>x</pw><domain:reg>kept</domain:reg>';
    expect(shown(xml)).toBe('<epp><domain:name>hush.com</domain:name><pw>***</pw><domain:reg>kept</domain:reg></epp>');
  });
});
