import { allTenants, sql } from '@namehold/postgres';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/support/browser.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';

let t: TestService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let context: BrowserContext;
let page: Page;
let devices: CDPSession;
const password = 'a long enough one';
const email = 'pass@key.example';

beforeAll(async () => {
  t = await startTestService();
  browser = await openBrowser();
  context = await browser.newContext();
  const { port } = new URL(t.url);
  const [name, value] = (await openSession(t, '1000', { email })).split('=') as [string, string];
  // `localhost`, because passkeys cannot be bound to an IP address.
  const url = `http://localhost:${port}`;
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  page = await context.newPage();
  page.setDefaultTimeout(300_000);
  await page.goto(`${url}/healthz`);
  devices = await context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
});
afterAll(async () => {
  await browser.close();
  await t.stop();
});

interface Said {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** From within the page, with its cookie. */
const ask = (method: string, path: string, json?: object): Promise<Said> =>
  page.evaluate(
    async ([verb, where, body]) => {
      const answer = await fetch(`/v1${where}`, {
        method: verb as string,
        headers: { 'Namehold-Console': '1', ...(body ? { 'Content-Type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    [method, path, json ?? null] as const,
  );

const register = (options: unknown): Promise<object> =>
  page.evaluate(
    `(async (given) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given);
      return (await navigator.credentials.create({ publicKey })).toJSON();
    })(${JSON.stringify(options)})`,
  );

const sign = (challenge: unknown): Promise<object> =>
  page.evaluate(
    `(async (challenge) => {
      const wanted = { challenge, rpId: 'localhost', userVerification: 'required' };
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(wanted);
      return (await navigator.credentials.get({ publicKey })).toJSON();
    })(${JSON.stringify(challenge)})`,
  );

const challengeFor = async (path: string) => (await ask('POST', path, {})).body.challenge;

test('creates a passkey on a page of the service and completes a password sign-in with it', async () => {
  const wanted = await ask('POST', '/me/passkeys/challenge', {});
  expect(wanted.status, JSON.stringify(wanted.body)).toBe(200);
  expect(wanted.body.options).toMatchObject({ rp: { id: 'localhost' }, attestation: 'none' });
  const passkey = await register(wanted.body.options);
  const added = await ask('POST', '/me/passkeys', { name: 'Telephone', passkey });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  // A signed challenge counts once.
  expect((await ask('POST', '/me/passkeys', { name: 'Again', passkey })).status).toBe(400);
  expect((await ask('GET', '/me/passkeys')).body).toMatchObject([{ name: 'Telephone', last_used_at: null }]);
  expect((await ask('DELETE', '/session')).status).toBe(200);

  const half = await ask('POST', '/session', { email, password });
  expect([half.status, half.body]).toEqual([202, { methods: ['passkey'] }]);
  expect((await ask('GET', '/me')).status).toBe(401);
  const second = await sign(await challengeFor('/session/factor/challenge'));
  expect((await ask('POST', '/session/factor', { passkey: second })).status).toBe(200);
  expect((await ask('POST', '/session/sudo', { passkey: second })).body.errors).toMatchObject([{ field: 'passkey' }]);
  const again = await sign(await challengeFor('/session/factor/challenge'));
  expect((await ask('POST', '/session/sudo', { passkey: again })).status).toBe(200);
  expect((await ask('DELETE', '/session')).status).toBe(200);
});

test('signs in with a passkey alone, once and from our page only, while passwords are throttled', async () => {
  const bad = Array.from({ length: 40 }, (_, n) =>
    t.call('POST', '/v1/session', { json: { email, password: `wrong long one ${n}` }, session: '' }),
  );
  expect((await Promise.all(bad)).some(({ status }) => status === 429)).toBe(true);
  expect((await t.call('POST', '/v1/session', { json: { email, password }, session: '' })).status).toBe(429);
  const signed = await sign(await challengeFor('/session/challenge'));
  const opened = await ask('POST', '/session/passkey', { passkey: signed });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  expect(opened.body).toMatchObject({ person: { email } });
  expect((await ask('GET', '/me')).status).toBe(200);
  expect((await ask('POST', '/session/passkey', { passkey: signed })).status).toBe(401);
  // Signed at another origin: the same bytes with another origin in them.
  const forged = (await sign(await challengeFor('/session/challenge'))) as { response: { clientDataJSON: string } };
  const clientData = JSON.parse(Buffer.from(forged.response.clientDataJSON, 'base64url').toString());
  const elsewhere = Buffer.from(JSON.stringify({ ...clientData, origin: 'https://evil.example' })).toString(
    'base64url',
  );
  const lie = { ...forged, response: { ...forged.response, clientDataJSON: elsewhere } };
  expect((await ask('POST', '/session/passkey', { passkey: lie })).status).toBe(401);
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: number }>(sql`select count(*)::int as n from passkey where last_used_at is not null and counter > 0`);
  expect(n).toBe(1);
});
