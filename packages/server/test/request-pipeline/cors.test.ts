import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

const origin = 'https://panel.example';

describe('CORS without the setting', () => {
  let t: TestService;
  beforeAll(async () => {
    t = await startTestService();
  });
  afterAll(() => t.stop());
  test('adds no CORS headers to any response', async () => {
    const called = await t.call('GET', '/v1/account/profile', { headers: { Origin: origin } });
    expect(called.status).toBe(200);
    expect(called.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await t.call('OPTIONS', '/v1/account/profile', { headers: { Origin: origin }, as: null });
    expect(preflight.status).toBe(405);
  });
});

describe('CORS with a configured origin', () => {
  let t: TestService;
  beforeAll(async () => {
    t = await startTestService({ env: { NAMEHOLD_CORS_ORIGINS: `${origin}, https://other.example` } });
  });
  afterAll(() => t.stop());

  test('answers a preflight without credentials and lists what is allowed', async () => {
    const called = await t.call('OPTIONS', '/v1/customers', {
      as: null,
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization, idempotency-key',
      },
    });
    expect(called.status).toBe(204);
    expect(called.headers.get('access-control-allow-origin')).toBe(origin);
    expect(called.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(called.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/);
    expect(called.headers.get('access-control-allow-credentials')).toBeNull();
  });
  test('adds the headers to responses and errors, and exposes those that clients need', async () => {
    for (const [path, as, status] of [
      ['/v1/account/profile', undefined, 200],
      ['/v1/account/profile', null, 401],
      ['/v1/nothing', undefined, 404],
    ] as const) {
      const called = await t.call('GET', path, { headers: { Origin: origin }, ...(as === null ? { as } : {}) });
      expect(called.status).toBe(status);
      expect(called.headers.get('access-control-allow-origin')).toBe(origin);
      expect(called.headers.get('access-control-expose-headers')).toContain('X-Total-Count');
      expect(called.headers.get('vary')).toBe('Origin');
    }
  });
  test.each(['https://evil.example', 'https://panel.example.evil.example', 'null', 'http://panel.example'])(
    'sends no CORS headers to another origin, but sends Vary: %s',
    async (other) => {
      const called = await t.call('GET', '/v1/account/profile', { headers: { Origin: other } });
      expect(called.headers.get('access-control-allow-origin')).toBeNull();
      expect(called.headers.get('vary')).toBe('Origin');
      const preflight = await t.call('OPTIONS', '/v1/customers', { headers: { Origin: other }, as: null });
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
      expect(preflight.headers.get('access-control-allow-methods')).toBeNull();
    },
  );
});

test('allows any origin if the setting is *', async () => {
  const t = await startTestService({ env: { NAMEHOLD_CORS_ORIGINS: '*' } });
  const called = await t.call('GET', '/v1/account/profile', { headers: { Origin: 'https://any.example' } });
  expect(called.headers.get('access-control-allow-origin')).toBe('*');
  await t.stop();
});
