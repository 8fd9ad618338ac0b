import { afterEach, describe, expect, test } from 'vitest';
import { Toasts } from '../../src/components/toast.tsx';
import { businessNow, setBusinessTime } from '../../src/data/clock.ts';
import { canMove, isMoving, moveClock, pushClock, pushClockTo } from '../../src/sandbox/clock.ts';
import { faultKinds, faultMessages } from '../../src/sandbox/faults.ts';
import { messages } from '../../src/sandbox/messages.ts';
import Sandbox from '../../src/sandbox/sandbox.tsx';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const path = '/sandbox/clock';
const moved = (now: string, caughtUp = true) =>
  page.api.respond('post', path, () => ({ body: { now, caught_up: caughtUp } }));
afterEach(() => {
  isMoving.value = false;
});

describe('canMove', () => {
  test.each([
    [{ is_sandbox: true }, true],
    [{ is_sandbox: false }, false],
    [{ is_sandbox: true, account: { scopes: ['domains:read'] } }, false],
    [{ is_sandbox: true, customer: { customer_id: '7', access: 'order' as const } }, false],
  ])('returns for %j the value %s', (session, can) => {
    signIn(session);
    expect(canMove()).toBe(can);
  });
});

describe('moving the clock', () => {
  test('sets the business time of the service', async () => {
    moved('2030-01-01T00:00:00Z');
    expect(await moveClock('+7d')).toBeUndefined();
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ move: '+7d' }]);
    expect(businessNow().toISOString().slice(0, 10)).toBe('2030-01-01');
  });

  test('sends one request at a time', async () => {
    moved('2030-01-01T00:00:00Z');
    await Promise.all([moveClock('+1d'), moveClock('+1d')]);
    expect(page.api.writes).toHaveLength(1);
    await moveClock('+1d');
    expect(page.api.writes).toHaveLength(2);
  });

  test('returns an error, and can then be repeated', async () => {
    page.api.refuse('post', path, 400, { code: 'invalid_argument' });
    expect((await moveClock('+1d'))?.code).toBe('invalid_argument');
    expect(isMoving.value).toBe(false);
  });

  test('shows a toast with a text without a connection', async () => {
    page.api.lose('post', path);
    await page.show(<Toasts />);
    await pushClock('+1d');
    await page.settle();
    const toasts = page.root.querySelectorAll('.toast > span');
    expect(toasts[toasts.length - 1]?.textContent).not.toBe('');
  });

  test.each([
    ['2027-01-02T00:00:00Z', 86_400 + 60],
    ['2027-01-01T00:00:00Z', 60],
    ['2026-12-31T00:00:00Z', 60],
  ])('moves the clock for %s to a minute past that time, and never back', async (at, seconds) => {
    setBusinessTime('2027-01-01T00:00:00Z');
    moved('2027-01-02T00:01:00Z');
    await pushClockTo(new Date(at));
    const sent = Number(/^\+(\d+)s$/.exec(page.api.writes[0]!.body.move)?.[1]);
    expect(Math.abs(sent - seconds)).toBeLessThanOrEqual(1);
  });
});

describe('the page of the sandbox', () => {
  const open = async (faults: object[] = [], at = '/app/sandbox') => {
    page.api.respond('get', '/sandbox', () => ({ body: { now: '2027-01-01T00:00:00Z', faults } }));
    await page.show(Sandbox, { at });
  };

  test('shows an error of the clock at its field', async () => {
    await open();
    page.api.refuse('post', path, 400, { errors: [{ field: 'move', code: 'invalid', message: 'Not a time.' }] });
    await page.type(page.field('move'), '+1d');
    await page.click(page.button(messages().move));
    expect(page.errorAt('move')).toBe('Not a time.');
  });

  test('reads a domain of the address from the registry', async () => {
    page.api.refuse('get', '/sandbox/domains/{name}', 404, { code: 'not_found' });
    await open([], '/app/sandbox?name=example.com');
    expect(page.api.sent('get', '/sandbox/domains/{name}').map(({ params }) => params.name)).toEqual(['example.com']);
    expect(page.has('alert')).toBe(true);
  });

  test.each(['en', 'id'] as const)('explains each fault in %s', async (language) => {
    speak(language);
    await open();
    expect(
      page
        .all('heading')
        .filter(({ tagName }) => tagName === 'H3')
        .map((each) => page.text(each)),
    ).toEqual(faultKinds.map((kind) => faultMessages().faults[kind].title));
  });

  test('offers no faults to users who may only read', async () => {
    signIn({ is_sandbox: true, account: { scopes: ['domains:read'] } });
    await open();
    expect([page.has('input', messages().by), page.has('button', new RegExp(messages().turnOn))]).toEqual([
      false,
      false,
    ]);
  });
});
