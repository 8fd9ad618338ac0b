import { describe, expect, test } from 'vitest';
import { PoolBackground } from '../src/client/background.ts';
import { Backoff } from '../src/client/backoff.ts';
import { CheckBatcher } from '../src/client/check-batcher.ts';
import { isTransform, targetsOf, toAnswer } from '../src/client/outcome.ts';
import { Pacing } from '../src/client/pacing.ts';
import { JobQueue, priorityOf } from '../src/client/queue.ts';
import { TokenBucket } from '../src/client/token-bucket.ts';
import { type DomainCheckRequest, type EppResponse, type EppUnsentError, redactFrame } from '../src/index.ts';
import { ManualClock } from './support/clock.ts';
import { TEST_PROFILE } from './support/registry.ts';

describe('Backoff', () => {
  test('doubles up to its limit, and is reset by one success', () => {
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

describe('TokenBucket', () => {
  test('allows the commands of one second at once, then refills', () => {
    const clock = new ManualClock();
    const pacing = new TokenBucket(4, clock);
    expect(Array.from({ length: 4 }, () => pacing.take().taken)).toEqual([true, true, true, true]);
    expect(pacing.take()).toEqual({ taken: false, waitMs: 250 });
    clock.advance(250);
    expect(pacing.take().taken).toBe(true);
    expect(pacing.take()).toEqual({ taken: false, waitMs: 250 });
    // A long idle time is worth one second at most.
    clock.advance(3_600_000);
    expect(Array.from({ length: 5 }, () => pacing.take().taken)).toEqual([true, true, true, true, false]);
  });

  test('allows one command at a rate below one per second', () => {
    const clock = new ManualClock();
    const pacing = new TokenBucket(0.5, clock);
    expect(pacing.take().taken).toBe(true);
    expect(pacing.take()).toEqual({ taken: false, waitMs: 2_000 });
    clock.advance(1_999);
    expect(pacing.take().taken).toBe(false);
    clock.advance(1);
    expect(pacing.take().taken).toBe(true);
  });

  test('becomes negative after logins, and commands wait for it', () => {
    const clock = new ManualClock();
    const pacing = new TokenBucket(2, clock);
    for (let login = 0; login < 4; login += 1) pacing.charge();
    expect(pacing.take()).toEqual({ taken: false, waitMs: 1_500 });
  });
});

describe('JobQueue', () => {
  const domain = { object: 'domain', name: 'a.com' } as const;
  test('serves money, interactive and background in this order', () => {
    expect(priorityOf({ ...domain, verb: 'delete' })).toBe('money');
    expect(priorityOf({ ...domain, verb: 'transfer', op: 'approve' })).toBe('money');
    expect(priorityOf({ ...domain, verb: 'transfer', op: 'query' })).toBe('interactive');
    expect(priorityOf({ ...domain, verb: 'info' })).toBe('interactive');
    expect(priorityOf({ object: 'poll', verb: 'ack', msgID: '1' })).toBe('background');
  });

  type Waiting = { readonly id: string; readonly priority: 'money' | 'interactive' | 'background' };
  const waitingJobs = () => {
    const clock = new ManualClock();
    const failed: string[] = [];
    const onFailed = ({ id }: Waiting, error: unknown) =>
      failed.push(`${id}: ${(error as EppUnsentError).why ?? (error as Error).message}`);
    return { clock, failed, queue: new JobQueue<Waiting>({ clock, maxWaitMs: 10_000, onFailed }) };
  };

  test('returns an unsent job to the head of its queue', () => {
    const { queue, failed } = waitingJobs();
    const first: Waiting = { id: 'a', priority: 'interactive' };
    queue.push(first);
    queue.push({ id: 'b', priority: 'interactive' });
    queue.push({ id: 'c', priority: 'background' });
    expect(queue.peek(() => false)?.id).toBe('a');
    queue.take(first);
    queue.putBack(first);
    expect(queue.peek(() => false)?.id).toBe('a');
    expect(queue.peek((priority) => priority === 'interactive')?.id).toBe('c');
    queue.push({ id: 'm', priority: 'money' });
    expect(queue.counts()).toEqual({ money: 1, interactive: 2, background: 1 });
    queue.failAll(new Error('closed'));
    expect(failed).toEqual(['m: closed', 'a: closed', 'b: closed', 'c: closed']);
    expect(queue.size).toBe(0);
  });

  test('fails a job that waits too long, but none that was taken', () => {
    const { clock, queue, failed } = waitingJobs();
    const taken: Waiting = { id: 'a', priority: 'interactive' };
    queue.push(taken);
    queue.push({ id: 'b', priority: 'interactive' });
    queue.take(taken);
    clock.advance(9_999);
    expect(failed).toEqual([]);
    clock.advance(1);
    expect(failed).toEqual(['b: no-session']);
    clock.advance(60_000);
    expect(failed).toHaveLength(1);
  });

  test('fails orders after two seconds if other processes hold all sessions, and keeps queries', () => {
    const { clock, queue, failed } = waitingJobs();
    queue.push({ id: 'order', priority: 'money' });
    queue.push({ id: 'query', priority: 'interactive' });
    clock.advance(1_999);
    queue.failWithoutSession();
    expect(failed).toEqual([]);
    clock.advance(1);
    queue.push({ id: 'later order', priority: 'money' });
    queue.failWithoutSession();
    expect(failed).toEqual(['order: no-session']);
    expect(queue.counts()).toEqual({ money: 1, interactive: 1, background: 0 });
  });
});

describe('Pacing', () => {
  test('waits after a refused grant, and requests the next one after that time', async () => {
    const clock = new ManualClock();
    let wakes = 0;
    const background = new PoolBackground(clock, () => {
      wakes += 1;
    });
    const requested: number[] = [];
    const answers = [
      { granted: 0, waitMs: 0 },
      { granted: 2, waitMs: 0 },
    ];
    const take = async (wanted: number) => {
      requested.push(wanted);
      return answers.shift()!;
    };
    const pacing = new Pacing({ take } as never, clock, background);
    expect(pacing.take(() => 3)).toBe(false);
    await background.whenIdle();
    expect([requested, wakes]).toEqual([[3], 0]);
    expect(pacing.take(() => 3)).toBe(false);
    expect(requested).toEqual([3]);
    clock.advance(1);
    expect(wakes).toBe(1);
    expect(pacing.take(() => 3)).toBe(false);
    await background.whenIdle();
    expect([requested, wakes]).toEqual([[3, 3], 2]);
    expect([1, 2].map(() => pacing.take(() => 3))).toEqual([true, true]);
  });

  test('does not use a grant that is older than a second', () => {
    const clock = new ManualClock();
    const grants: number[] = [];
    const take = () => {
      grants.push(clock.nowMs());
      return { granted: 5, waitMs: 0 };
    };
    const pacing = new Pacing({ take } as never, clock, new PoolBackground(clock, () => {}));
    expect(pacing.take(() => 1)).toBe(true);
    clock.advance(999);
    expect([pacing.take(() => 1), grants.length]).toEqual([true, 1]);
    clock.advance(1);
    expect([pacing.take(() => 1), grants.length]).toEqual([true, 2]);
  });
});

describe('toAnswer', () => {
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

  test.each([2400, 2500])('returns an unknown outcome for %i', (code) => {
    expect(toAnswer(removal, 'C-1', answered([{ code, msg: 'failed', reasons: ['disk'] }]))).toMatchObject({
      kind: 'unknown',
      why: 'server-error',
      code,
      text: 'failed; disk',
      svTRID: 'SV-1',
    });
  });

  test('returns an unknown outcome if one of several results is uncertain', () => {
    expect(toAnswer(removal, 'C-1', answered([{ code: 2305 }, { code: 2400 }]))).toMatchObject({ kind: 'unknown' });
  });

  test.each([2002, 2200, 2501, 2502])('returns a session fault for %i', (code) => {
    expect(toAnswer(removal, 'C-1', answered([{ code }]))).toMatchObject({ kind: 'refused', sessionFault: true });
  });

  test('returns every reason of every result of a refusal', () => {
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

  test('returns done and pending for 1001, and requires no data for a transform', () => {
    expect(toAnswer(removal, 'C-1', answered([{ code: 1001 }]))).toMatchObject({ kind: 'done', pending: true });
    expect(toAnswer(removal, 'C-1', answered([{ code: 1000 }]))).toMatchObject({ kind: 'done', pending: false });
  });

  test('does not return done for a query without its data', () => {
    const why = { kind: 'unknown', why: 'unreadable-answer' };
    expect(toAnswer(info, 'C-1', answered([{ code: 1000 }]))).toMatchObject(why);
    const ofAnother = { type: 'infData', object: 'host' };
    expect(toAnswer(info, 'C-1', answered([{ code: 1000 }], ofAnother))).toMatchObject(why);
    const right = { type: 'infData', object: 'domain' };
    expect(toAnswer(info, 'C-1', answered([{ code: 1000 }], right))).toMatchObject({ kind: 'done', data: right });
  });

  test('recognises transforms and the objects of a command', () => {
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

describe('CheckBatcher', () => {
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

  test('returns unknown for a name missing in the answer only', async () => {
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

  test('returns a failure to every caller, and sends the next check anew', async () => {
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

  test('does not combine checks of different priorities', async () => {
    const clock = new ManualClock();
    const checked: (readonly string[])[] = [];
    const gatherer = new CheckBatcher(
      async (request) => {
        checked.push(request.names);
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
    expect(checked).toEqual([['a.com'], ['a.com']]);
  });
});

describe('redactFrame', () => {
  const shown = (xml: string) => redactFrame(`<epp>${xml}</epp>`);
  test.each([
    ['plain', '<pw>hush</pw>'],
    ['new password', '<newPW>hush</newPW>'],
    ['other prefix', '<obj:pw roid="X-1">hush</obj:pw>'],
    ['over several lines', '<domain:authInfo>\n<domain:pw>\nhush\n</domain:pw>\n</domain:authInfo>'],
    ['authInfo in an ext element', '<domain:authInfo><domain:ext><x:code>hush</x:code></domain:ext></domain:authInfo>'],
    ['twice', '<pw>hush</pw><newPW>hush</newPW>'],
    ['unclosed', '<pw>hush'],
    ['in CDATA', '<pw><![CDATA[hush]]></pw>'],
    ['in CDATA that contains an end tag', '<domain:pw><![CDATA[a</domain:pw>hush]]></domain:pw>'],
    ['after a comment that contains an end tag', '<pw><!-- </pw> -->hush</pw>'],
    ['prefix in another script', '<домен:pw>hush</домен:pw>'],
    ['ext element under a prefix in another script', '<é:authInfo><é:ext><x>hush</x></é:ext></é:authInfo>'],
    ['after a `>` in an attribute', '<pw roid="a>b">hush</pw>'],
    ['after an empty element', '<pw/><pw>hush</pw>'],
  ])('hides a secret: %s', (_what, xml) => {
    expect(shown(xml)).not.toContain('hush');
    expect(shown(xml)).toContain('***');
  });

  test('hides nothing else', () => {
    const xml = '<domain:name>hush.com</domain:name><pw>x</pw><domain:reg>kept</domain:reg>';
    expect(shown(xml)).toBe('<epp><domain:name>hush.com</domain:name><pw>***</pw><domain:reg>kept</domain:reg></epp>');
  });
});
