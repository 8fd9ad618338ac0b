import { afterEach, describe, expect, test } from 'vitest';
import { call } from '../../src/api/call.ts';
import { businessNow } from '../../src/data/clock.ts';
import { cache, disconnectedSince } from '../../src/data/resource.ts';
import { stopListening } from '../../src/data/stream.ts';
import { locale } from '../../src/messages/locale.ts';
import { currentSession } from '../../src/session/current-session.ts';
import {
  enter,
  epoch,
  identityCheck,
  loadSession,
  saveLocale,
  sessionError,
  signInRequest,
  signOut,
  switchAccount,
} from '../../src/session/session.ts';
import { usePage } from '../support/dom.ts';
import { sameSession, sessionOf } from '../support/sessions.ts';

const page = usePage();
afterEach(() => {
  signInRequest.value?.answer(false);
  identityCheck.value?.answer(false);
  stopListening();
  disconnectedSince.value = undefined;
});

/** The first request is answered with an expired session, later ones with success. */
const expireOnce = () => {
  let count = 0;
  page.api.respond('put', '/me', () => {
    count += 1;
    return count === 1
      ? { status: 401, body: { code: 'unauthorized', message: 'Sign in.' } }
      : { body: { ...sessionOf('per_1').person } };
  });
};
const change = () => call('put', '/me', { body: { name: 'Sari' } });
const signInAsked = () => page.until(() => signInRequest.value !== undefined);

describe('an expired session', () => {
  test('is not asked for again if another tab renewed it', async () => {
    expireOnce();
    page.api.respond('get', '/session', () => ({ body: sameSession() }));
    await change();
    expect(signInRequest.value).toBeUndefined();
    expect(page.api.sent('put', '/me')).toHaveLength(2);
  });

  test('asks once for several requests, and repeats them after the same user signed in', async () => {
    const session = sameSession();
    const first = new Set<string>();
    page.api.respond('put', '/me', ({ headers }) => {
      const key = headers.get('Idempotency-Key') ?? '';
      if (first.has(key)) return { body: session.person };
      first.add(key);
      return { status: 401, body: { code: 'unauthorized', message: 'Sign in.' } };
    });
    page.api.refuse('get', '/session', 401, { code: 'unauthorized' });
    const work = Promise.all([change(), change()]);
    await signInAsked();
    const asked = signInRequest.value;
    await page.settle();
    expect(signInRequest.value).toBe(asked);
    const shown = epoch.value;
    enter(session);
    await work;
    expect([page.api.sent('put', '/me').length, signInRequest.value, epoch.value]).toEqual([4, undefined, shown]);
  });

  test.each([
    ['user', () => sessionOf('per_other')],
    ['account', () => sessionOf(currentSession.value!.person.person_id, '2000')],
  ])('drops the request, and renders all pages anew, if another %s signed in', async (_, session) => {
    expireOnce();
    page.api.refuse('get', '/session', 401, { code: 'unauthorized' });
    cache.setQueryData(['v1', '/v1/domains'], { body: ['secret.example'] });
    const work = change().catch(({ status }) => status);
    await signInAsked();
    const shown = epoch.value;
    enter(session());
    expect(await work).toBe(401);
    expect([page.api.sent('put', '/me').length, epoch.value - shown]).toEqual([1, 1]);
    expect(cache.getQueryData(['v1', '/v1/domains'])).toBeUndefined();
  });

  test('does not prompt on a page without a session', async () => {
    currentSession.value = null;
    page.api.refuse('put', '/me', 401, { code: 'unauthorized' });
    await expect(change()).rejects.toMatchObject({ status: 401 });
    expect(signInRequest.value).toBeUndefined();
  });
});

describe('a required identity check', () => {
  const demand = () => {
    let isConfirmed = false;
    page.api.respond('put', '/me', () =>
      isConfirmed
        ? { body: sameSession().person }
        : { status: 403, body: { code: 'reauthentication_required', message: 'Confirm.', methods: ['totp'] } },
    );
    return () => {
      isConfirmed = true;
    };
  };

  test('offers the methods of the answer, and repeats the request after it', async () => {
    const confirm = demand();
    const work = change();
    await page.until(() => identityCheck.value !== undefined);
    expect(identityCheck.value?.methods).toEqual(['totp']);
    confirm();
    identityCheck.value?.answer(true);
    await work;
    await page.settle();
    expect([page.api.sent('put', '/me').length, identityCheck.value]).toEqual([2, undefined]);
  });

  test('ends the request with its error if the prompt is closed, and prompts again later', async () => {
    demand();
    for (const times of [1, 2]) {
      const work = change().catch(({ code }) => code);
      await page.until(() => identityCheck.value !== undefined);
      identityCheck.value?.answer(false);
      expect(await work).toBe('reauthentication_required');
      await page.settle();
      expect(page.api.sent('put', '/me')).toHaveLength(times);
    }
  });
});

describe('loadSession', () => {
  test('enters the session with its language and business time', async () => {
    currentSession.value = undefined;
    const session = { ...sessionOf('per_1'), business_time: '2031-05-06T00:00:00Z' };
    session.person.language = 'id';
    page.api.respond('get', '/session', () => ({ body: session }));
    await loadSession();
    expect([currentSession.value, locale.value, document.documentElement.lang]).toEqual([session, 'id', 'id']);
    expect(businessNow().toISOString().slice(0, 10)).toBe('2031-05-06');
  });

  test('shows the sign-in form if nobody is signed in, also if the brand cannot be read', async () => {
    currentSession.value = undefined;
    page.api.refuse('get', '/session', 401, { code: 'unauthorized' }).refuse('get', '/brand/shown', 500);
    await loadSession();
    expect([currentSession.value, sessionError.value]).toEqual([null, undefined]);
  });

  test('shows any other error, which a second attempt clears', async () => {
    currentSession.value = undefined;
    page.api.refuse('get', '/session', 503);
    await loadSession();
    expect([currentSession.value, sessionError.value?.status]).toEqual([undefined, 503]);
    const session = sessionOf('per_1');
    page.api.respond('get', '/session', () => ({ body: session }));
    await loadSession();
    expect([currentSession.value, sessionError.value]).toEqual([session, undefined]);
  });
});

describe('the connection', () => {
  test('is shown as lost since the first failure, until an answer arrives', async () => {
    page.api.lose('get', '/me');
    const read = () => call('get', '/me', {}).catch(() => undefined);
    await read();
    const since = disconnectedSince.value;
    expect(since).toBeInstanceOf(Date);
    await read();
    expect(disconnectedSince.value).toBe(since);
    page.api.refuse('get', '/me', 500);
    await read();
    expect(disconnectedSince.value).toBeUndefined();
  });
});

test('switching the account enters its session', async () => {
  page.api.respond('put', '/session/account', () => ({
    body: sessionOf(currentSession.value!.person.person_id, '2000'),
  }));
  const shown = epoch.value;
  await switchAccount('2000');
  expect(page.api.writes.map(({ body }) => body)).toEqual([{ reseller_id: '2000' }]);
  expect([currentSession.value?.account.reseller_id, epoch.value - shown]).toEqual(['2000', 1]);
});

describe('the language', () => {
  test('stores the language of a user', async () => {
    page.api.respond('put', '/me', () => ({ body: currentSession.value!.person }));
    await saveLocale('id');
    expect([locale.value, page.api.writes.map(({ body }) => body)]).toEqual(['id', [{ language: 'id' }]]);
  });
  test('does not store the language of a customer', async () => {
    currentSession.value = { ...sameSession(), customer: { customer_id: '7', access: 'read' } };
    await saveLocale('id');
    expect([locale.value, page.api.writes]).toEqual(['id', []]);
  });
});

describe('signing out', () => {
  test.each([
    ['of a user', undefined, '/app'],
    ['of a customer', { customer_id: '7', access: 'read' as const }, '/app/at/1000'],
  ])('%s deletes all data, also without a connection, and opens the sign-in page', async (_, customer, path) => {
    currentSession.value = { ...sameSession(), ...(customer ? { customer } : {}) };
    page.api.lose('delete', '/session');
    cache.setQueryData(['v1', '/v1/domains'], { body: [] });
    const opened: string[] = [];
    const assign = location.assign;
    location.assign = (to) => void opened.push(String(to));
    await signOut();
    location.assign = assign;
    expect([opened, cache.getQueryCache().getAll()]).toEqual([[path], []]);
  });
});
