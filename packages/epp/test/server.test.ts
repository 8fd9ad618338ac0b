import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  type EppRequest,
  element,
  encodeFrame,
  type LoginRequest,
  parseXml,
  readGreeting,
  readResponse,
  writeCommand,
  writeHelloFrame,
} from '../src/index.ts';
import { RawClient } from './support/raw.ts';
import { CLIENT_ID, PASSWORD, plainAnswer, type TestRegistry, testRegistry } from './support/registry.ts';

const NS = ALL_NAMESPACES;
let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry({
    maxFrameBytes: 64 * 1024,
    dispatch: async (command) => {
      if (command.object === 'host') throw new Error('broken on purpose');
      if (command.object === 'domain' && command.verb === 'info') {
        const data = { object: 'domain', type: 'infData', name: 'a.com', roid: 'A-1', clID: 'ClientX' } as const;
        return {
          results: [{ code: 1000 }],
          data: { ...data, statuses: [], contacts: [], hosts: [] },
          ext: { tld: { us: { us_purpose: 'P1', us_category: 'C11' } } },
        };
      }
      return plainAnswer(command);
    },
  });
});
afterAll(() => registry.server.close());

let counter = 0;
const frame = (request: EppRequest) => writeCommand(request, `RAW-${counter++}`, NS);
const login = (more: Partial<LoginRequest> = {}): string =>
  frame({
    object: 'session',
    verb: 'login',
    clID: CLIENT_ID,
    pw: PASSWORD,
    version: '1.0',
    lang: 'en',
    objURIs: [NS.domain, NS.contact, NS.host],
    extURIs: [NS.secDNS, NS.fee, NS.loginSec],
    ...more,
  });
const check = frame({ object: 'domain', verb: 'check', names: ['a.com'] });

async function opened(): Promise<RawClient> {
  const client = await RawClient.open(registry.port, registry.authority.ca);
  await client.next();
  return client;
}

async function loggedIn(more: Partial<LoginRequest> = {}): Promise<RawClient> {
  const client = await opened();
  expect(await client.code(login(more))).toBe(1000);
  return client;
}

test('sends a greeting with the time in UTC and all services at connect and after hello', async () => {
  const client = await RawClient.open(registry.port, registry.authority.ca);
  const first = readGreeting(parseXml((await client.next()) ?? ''), NS);
  expect(first).toMatchObject({
    versions: ['1.0'],
    langs: ['en'],
    objURIs: [NS.domain, NS.contact, NS.host, NS.lowBalancePoll, NS.rgpPoll, NS.balance],
  });
  expect(first.extURIs).toContain(NS.secDNS);
  expect(Math.abs(first.svDate.getTime() - Date.now())).toBeLessThan(30_000);
  expect(readGreeting(parseXml((await client.ask(writeHelloFrame(NS))) ?? ''), NS).svID).toBe('Test registry');
  client.socket.destroy();
});

describe('before login', () => {
  test.each([
    ['a command', check, 2002],
    ['logout', frame({ object: 'session', verb: 'logout' }), 2002],
    ['another protocol version', login({ version: '2.0' }), 2100],
    ['another language', login({ lang: 'xx' }), 2102],
    ['an object that is not served', login({ objURIs: ['urn:x'] }), 2307],
    ['an extension that is not served', login({ extURIs: ['urn:x'] }), 2103],
    ['a wrong password', login({ pw: 'wrong-pw' }), 2200],
    ['loginSec without its password', login({ pw: '[LOGIN-SECURITY]' }), 2003],
    ['a password that the schema refuses', login({ pw: 'abc' }), 2001],
  ])('the server answers with the code for %s', async (_name, xml, code) => {
    const client = await opened();
    expect(await client.code(xml)).toBe(code);
    expect(await client.code(login())).toBe(1000);
    client.socket.destroy();
  });

  test('the server ends the connection with 2501 after three wrong passwords', async () => {
    const client = await opened();
    expect(await client.code(login({ pw: 'wrong-1' }))).toBe(2200);
    expect(await client.code(login({ pw: 'wrong-2' }))).toBe(2200);
    expect(await client.code(login({ pw: 'wrong-3' }))).toBe(2501);
    expect(await client.next()).toBeUndefined();
  });

  test('the server accepts a password by loginSec', async () => {
    await loggedIn({ pw: '[LOGIN-SECURITY]', ext: { loginSec: { pw: PASSWORD } } });
  });
});

describe('after login', () => {
  const unknownExtension = { other: [element('urn:x', 'thing')] };
  test.each([
    ['a second login', () => login(), 2002],
    ['a command', () => check, 1000],
    ['an extension that is not served', () => frame({ object: 'poll', verb: 'request', ext: unknownExtension }), 2103],
    [
      'an extension that was not announced',
      () => frame({ object: 'domain', verb: 'update', name: 'a.com', ext: { rgp: { op: 'request' } } }),
      2103,
    ],
    ['an object that is not served', () => check.replaceAll(NS.domain, 'urn:x'), 2307],
    [
      'a malformed status value',
      () => frame({ object: 'domain', verb: 'update', name: 'a.com', add: { statuses: [{ value: 'x' }] } }),
      2001,
    ],
    ['not XML', () => 'hello?', 2001],
    ['an unclosed element', () => '<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><command>', 2001],
    ['another document', () => '<html/>', 2001],
    ['a command that does not exist', () => check.replaceAll('check', 'destroy'), 2000],
    ['a server fault in dispatch', () => frame({ object: 'host', verb: 'info', name: 'ns.a.com' }), 2400],
    [
      'a renew of a contact, which no RFC defines',
      () => check.replaceAll('check', 'renew').replaceAll('domain', 'contact'),
      2101,
    ],
  ])('the server answers with the code for %s', async (_name, xml, code) => {
    const client = await loggedIn();
    expect(await client.code(xml())).toBe(code);
    expect(await client.code(check)).toBe(1000);
    client.socket.destroy();
  });

  test('the server returns every reason without the refused secret', async () => {
    const client = await opened();
    const answer = (await client.ask(login({ pw: 'x7!q' }))) ?? '';
    expect(readResponse(parseXml(answer), NS).results[0].extValues?.[0]?.reason).toContain('minLength');
    expect(answer).not.toContain('x7!q');
    client.socket.destroy();
  });

  test('the server answers logout with 1500 and closes the connection', async () => {
    const client = await loggedIn();
    expect(await client.code(frame({ object: 'session', verb: 'logout' }))).toBe(1500);
    expect(await client.next()).toBeUndefined();
  });

  test('the server answers pipelined commands in the order sent', async () => {
    const client = await loggedIn();
    const ids = Array.from({ length: 20 }, (_, at) => `PIPE-${at}`);
    for (const id of ids) client.send(writeCommand({ object: 'domain', verb: 'check', names: ['a.com'] }, id, NS));
    const answers: (string | undefined)[] = [];
    for (const _ of ids) answers.push(readResponse(parseXml((await client.next()) ?? ''), NS).clTRID);
    expect(answers).toEqual(ids);
    client.socket.destroy();
  });

  test('data of a namespace that was not announced is in an extValue (RFC 9038) or omitted', async () => {
    const info = frame({ object: 'domain', verb: 'info', name: 'a.com' });
    const announcing = await loggedIn({ extURIs: [NS.unhandledNamespaces] });
    const first = readResponse(parseXml((await announcing.ask(info)) ?? ''), NS);
    expect(first.ext).toEqual({});
    expect(first.results[0].extValues).toMatchObject([{ reason: `${NS.usNexus} not in login services` }]);
    announcing.socket.destroy();
    const notAnnouncing = await loggedIn({ extURIs: [] });
    const second = readResponse(parseXml((await notAnnouncing.ask(info)) ?? ''), NS);
    expect(second).toMatchObject({ ext: {}, results: [{ code: 1000 }] });
    expect(second.results[0].extValues).toBeUndefined();
    notAnnouncing.socket.destroy();
  });
});

describe('frames that no regular client sends', () => {
  const DOCTYPE = '<!DOCTYPE epp [<!ENTITY a "aaaa">]>';
  test.each([
    ['a DTD', encodeFrame(`${DOCTYPE}<epp xmlns="${NS.epp}"><hello/></epp>`)],
    ['an entity', encodeFrame(`<epp xmlns="${NS.epp}"><command><poll op="&a;"/></command></epp>`)],
    ['a length of zero', Buffer.from([0, 0, 0, 0])],
    ['a length of four', Buffer.from([0, 0, 0, 4])],
    ['a length over the limit', Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x3c])],
  ])('end the connection, and the server keeps running: %s', async (_name, bytes) => {
    const client = await loggedIn();
    client.socket.write(bytes);
    let last: string | undefined;
    do last = await client.next();
    while (last !== undefined);
    expect(client.closed).toBe(true);
    (await loggedIn()).socket.destroy();
  });
});

test('answers a command although the bytes after it are invalid', async () => {
  const client = await loggedIn();
  client.socket.write(Buffer.concat([encodeFrame(check), Buffer.alloc(4)]));
  expect(await client.next()).toContain('code="1000"');
  expect(await client.next()).toBeUndefined();
});

test('closes an idle connection', async () => {
  const short = await testRegistry({ idleMs: 50 });
  const client = await RawClient.open(short.port, short.authority.ca);
  expect(await client.next()).toContain('greeting');
  expect(await client.next()).toBeUndefined();
  await short.server.close();
});

test('answers a session above the limit with 2502', async () => {
  const tight = await testRegistry({ authenticate: async () => ({ kind: 'accepted', maxSessions: 1 }) });
  const first = await RawClient.open(tight.port, tight.authority.ca);
  await first.next();
  expect(await first.code(login())).toBe(1000);
  const second = await RawClient.open(tight.port, tight.authority.ca);
  await second.next();
  expect(await second.code(login())).toBe(2502);
  expect(await second.next()).toBeUndefined();
  await tight.server.close();
});

test('refuses TLS 1.1', async () => {
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await expect(RawClient.open(registry.port, registry.authority.ca, old)).rejects.toThrow();
});

test('passes the client certificate to dispatch', async () => {
  const seen: (string | undefined)[] = [];
  const strict = await testRegistry({
    authenticate: async (_login, session) => {
      seen.push(session.peer.certificateSubject);
      return { kind: 'accepted' };
    },
  });
  const identity = await strict.authority.issue('client.test');
  const client = await RawClient.open(strict.port, strict.authority.ca, identity);
  await client.next();
  expect(await client.code(login())).toBe(1000);
  expect(seen).toEqual(['client.test']);
  expect(strict.server.sessions[0]?.peer.tlsProtocol).toMatch(/TLSv1\.[23]/);
  await strict.server.close();
});
