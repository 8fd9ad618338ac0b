import { describe, expect, test } from 'vitest';
import { createEppPool, type EppClientEvent, encodeFrame, redactFrame, writeCommand } from '../src/index.ts';
import { ALL_NAMESPACES } from '../src/profile.ts';
import { CLIENT_ID, PASSWORD, TEST_PROFILE, testRegistry } from './support/registry.ts';
import { REQUESTS } from './support/sample-requests.ts';
import { okFrame, scriptedRegistry } from './support/scripted.ts';

const remove = { object: 'domain', verb: 'delete', name: 'a.com' } as const;

describe('an invalid answer', () => {
  const bad: [string, (clTRID: string) => Buffer][] = [
    ['other clTRID', () => okFrame('OTHER-1')],
    [
      'no clTRID',
      (clTRID) =>
        encodeFrame(
          okFrame(clTRID)
            .subarray(4)
            .toString()
            .replace(/<clTRID>.*<\/clTRID>/, ''),
        ),
    ],
    ['not XML', () => encodeFrame('hello')],
    ['a DTD', () => encodeFrame('<!DOCTYPE a><a/>')],
    ['no response', () => encodeFrame('<a/>')],
    ['length above the limit', () => Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ['length below five', () => Buffer.from([0, 0, 0, 1])],
  ];
  test.each(bad)('leaves the outcome unknown, and the next command succeeds: %s', async (_name, answer) => {
    const registry = await scriptedRegistry((clTRID, number) => (number === 0 ? answer(clTRID) : okFrame(clTRID)));
    const pool = createEppPool({
      endpoint: { host: '127.0.0.1', port: registry.port, servername: 'registry.test', ca: registry.ca },
      credentials: { clID: CLIENT_ID, pw: PASSWORD },
      profile: { ...TEST_PROFILE, limits: { ...TEST_PROFILE.limits, sessions: 1 } },
    });
    expect(await pool.send(remove)).toMatchObject({ kind: 'unknown', why: 'unreadable-answer' });
    expect(await pool.send(remove)).toMatchObject({ kind: 'done' });
    await pool.close();
    registry.close();
  });
});

describe('identity of the registry', () => {
  test('is refused with another CA, name or pin, and accepted with the pin and a client certificate', async () => {
    const registry = await testRegistry();
    const stranger = await testRegistry();
    const options = registry.client();
    const tryWith = async (endpoint: Partial<typeof options.endpoint>) => {
      const pool = createEppPool({ ...options, endpoint: { ...options.endpoint, ...endpoint } });
      const result = await pool.send(remove).catch((error: unknown) => error);
      await pool.close();
      return result;
    };
    const refused = { name: 'EppUnsentError', why: 'connect-failed' };
    expect(await tryWith({ ca: stranger.authority.ca })).toMatchObject(refused);
    expect(await tryWith({ servername: 'other.test' })).toMatchObject(refused);
    expect(await tryWith({ pins: [stranger.identity.pin] })).toMatchObject(refused);
    const client = await registry.authority.issue('client.test');
    expect(
      await tryWith({ pins: [stranger.identity.pin, registry.identity.pin], cert: client.cert, key: client.key }),
    ).toMatchObject({
      kind: 'done',
    });
    await registry.server.close();
    await stranger.server.close();
  });
});

test('sends a long or new password by loginSec, and reports its warnings as events', async () => {
  const long = 'a password far longer than sixteen characters';
  const seen: unknown[] = [];
  const expiresAt = new Date('2027-01-01T00:00:00Z');
  const event = { type: 'certificate', level: 'warning', expiresAt, text: 'soon' } as const;
  const registry = await testRegistry({
    authenticate: async (login) => {
      seen.push([login.pw, login.newPW, login.ext?.loginSec?.userAgent]);
      return { kind: 'accepted', ext: { loginSec: { events: [event] } } };
    },
  });
  const events: EppClientEvent[] = [];
  const userAgent = { app: 'test 1.0' };
  const pool = createEppPool(
    registry.client({
      credentials: { clID: CLIENT_ID, pw: long, newPW: `${long} 2`, userAgent },
      onEvent: (each) => events.push(each),
    }),
  );
  expect(await pool.send(remove)).toMatchObject({ kind: 'done' });
  expect(seen).toEqual([[long, `${long} 2`, userAgent]]);
  expect(events).toContainEqual({ type: 'login-security', events: [event] });
  await pool.close();
  await registry.server.close();
});

test('refuses a long password if loginSec is not offered', async () => {
  const { loginSec: _left, ...namespaces } = ALL_NAMESPACES;
  const registry = await testRegistry({ namespaces });
  const pool = createEppPool(registry.client({ credentials: { clID: CLIENT_ID, pw: 'longer than sixteen chars' } }));
  const error: unknown = await pool.send(remove).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'EppInputError', field: 'pw' });
  expect(String(error)).not.toContain('sixteen chars');
  await pool.close();
  await registry.server.close();
});

test('redactFrame hides every secret of every sample', () => {
  const secrets = ['foo-BAR2', 'bar-FOO2', 'long password', '2fooBAR-auth', '2BARfoo-auth'];
  let hidden = 0;
  for (const request of Object.values(REQUESTS)) {
    const xml = writeCommand(request, 'ABC-1', ALL_NAMESPACES);
    const clean = redactFrame(xml);
    for (const secret of secrets) {
      if (xml.includes(secret)) hidden += 1;
      expect(clean).not.toContain(secret);
    }
  }
  expect(hidden).toBeGreaterThan(20);
  expect(redactFrame('<a:authInfo><a:ext><b>secret</b></a:ext></a:authInfo>')).not.toContain('secret');
  expect(redactFrame('<a><pw>cut off sec')).not.toContain('sec');
});
