import { ALL_NAMESPACES, parseXml, readGreeting } from '@namehold/epp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, openRaw, openSession } from './support/raw.ts';
import { startTestRegistry, type TestRegistry } from './support/sandbox.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startTestRegistry();
});
afterAll(() => registry.close());

describe('the EPP endpoint', () => {
  test('refuses TLS 1.1 and a missing client certificate in the handshake', async () => {
    await expect(openRaw(registry.sandbox, { maxVersion: 'TLSv1.1' })).rejects.toThrow();
    await expect(openRaw(registry.sandbox, { certificateOf: 'none' })).rejects.toThrow();
  });

  test('lists all required services in the greeting', async () => {
    const raw = await openRaw(registry.sandbox, { maxVersion: 'TLSv1.2' });
    const greeting = readGreeting(parseXml(raw.greeting), ALL_NAMESPACES);
    expect(greeting.versions).toEqual(['1.0']);
    expect(greeting.langs).toContain('en');
    expect(Math.abs(greeting.svDate.getTime() - Date.now())).toBeLessThan(30_000);
    expect(greeting.objURIs).toEqual(
      expect.arrayContaining([ALL_NAMESPACES.domain, ALL_NAMESPACES.contact, ALL_NAMESPACES.host]),
    );
    expect(greeting.extURIs).toEqual(
      expect.arrayContaining([ALL_NAMESPACES.secDNS, ALL_NAMESPACES.rgp, ALL_NAMESPACES.fee]),
    );
    raw.close();
  });

  test.each([
    ['unknown client', { clID: 'nobody' }, 0],
    ['wrong password', { pw: 'wrong-password' }, 0],
    ['certificate of another registrar', {}, 1],
    ["the registry's own account", { clID: 'registry', pw: 'anything' }, 0],
  ] as const)('refuses a login: %s', async (_, change, certificateOf) => {
    const raw = await openRaw(registry.sandbox, { certificateOf });
    expect(codeOf(await raw.login(change))).toBe(2200);
    raw.close();
  });

  test('ends the connection after the third wrong login', async () => {
    const raw = await openRaw(registry.sandbox);
    const codes = [];
    for (let tries = 0; tries < 3; tries++) codes.push(codeOf(await raw.login({ pw: 'wrong-password' })));
    expect(codes).toEqual([2200, 2200, 2501]);
    await raw.closed();
  });

  test('refuses commands before login and a second login', async () => {
    const raw = await openRaw(registry.sandbox);
    expect(codeOf(await raw.send({ object: 'poll', verb: 'request' }))).toBe(2002);
    expect(codeOf(await raw.login())).toBe(1000);
    expect(codeOf(await raw.login())).toBe(2002);
    expect(codeOf(await raw.send({ object: 'session', verb: 'logout' }))).toBe(1500);
    await raw.closed();
  });

  test('replaces the old password by a new one, also in the files', async () => {
    const old = registry.sandbox.accounts[1]?.password as string;
    const raw = await openRaw(registry.sandbox, { index: 1 });
    expect(codeOf(await raw.login({ newPW: 'short' }))).toBe(2001);
    expect(codeOf(await raw.login({ newPW: 'short12' }))).toBe(2306);
    expect(codeOf(await raw.login({ newPW: 'Brand-new-9876' }))).toBe(1000);
    raw.close();
    const again = await openRaw(registry.sandbox, { index: 1 });
    expect(codeOf(await again.login({ pw: old }))).toBe(2200);
    expect(registry.sandbox.accounts[1]?.password).toBe('Brand-new-9876');
    expect(codeOf(await again.login())).toBe(1000);
    again.close();
  });

  test('neither returns nor accepts extensions that were not announced', async () => {
    const raw = await openRaw(registry.sandbox);
    await raw.login({ extURIs: [] });
    const info = await raw.send({ object: 'domain', verb: 'info', name: 'namehold-dns.net' });
    expect(info.ext).toEqual({});
    const fee = { commands: [{ name: 'create' as const }] };
    expect(codeOf(await raw.send({ object: 'domain', verb: 'check', names: ['a-b.org'], ext: { fee } }))).toBe(2103);
    raw.close();
  });
});

describe('invalid frames', () => {
  const head = '<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><command>';
  const tail = '<clTRID>ABC-1</clTRID></command></epp>';
  const domainNs = 'xmlns="urn:ietf:params:xml:ns:domain-1.0"';

  test.each([
    ['no name', `${head}<check><check ${domainNs}/></check>${tail}`, 2001],
    [
      'a period of 0',
      `${head}<renew><renew ${domainNs}><name>a.org</name><curExpDate>2027-01-01</curExpDate><period unit="y">0</period></renew></renew>${tail}`,
      2001,
    ],
    [
      'an unknown status',
      `${head}<update><update ${domainNs}><name>a.org</name><add><status s="clientSleeping"/></add></update></update>${tail}`,
      2001,
    ],
    ['an unknown verb', `${head}<swap/>${tail}`, 2000],
    ['an unknown object', `${head}<info><info xmlns="urn:example:thing-1.0"/></info>${tail}`, 2307],
    [
      'an unknown extension',
      `${head}<check><check ${domainNs}><name>a.org</name></check></check><extension><x xmlns="urn:example:ext-1.0"/></extension>${tail}`,
      2103,
    ],
    ['not XML', 'hello?', 2001],
  ])('get their code: %s', async (_, xml, code) => {
    const raw = await openSession(registry.sandbox);
    const answer = await raw.xml(xml);
    expect(answer).toContain(`code="${code}"`);
    expect(codeOf(await raw.send({ object: 'poll', verb: 'request' }))).toBe(1300);
    raw.close();
  });

  test.each([
    [
      'a DTD',
      '<!DOCTYPE epp SYSTEM "http://127.0.0.1:9/x.dtd"><epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/></epp>',
    ],
    ['an entity', '<!DOCTYPE epp [<!ENTITY a "aaaa">]><epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><hello/></epp>'],
  ])('end the session: %s', async (_, xml) => {
    const raw = await openSession(registry.sandbox);
    expect(await raw.xml(xml)).toContain('code="2001"');
    await raw.closed();
  });

  test.each([
    ['zero', [0, 0, 0, 0]],
    ['less than its own header', [0, 0, 0, 3]],
    ['more than the limit', [0xff, 0xff, 0xff, 0xff]],
  ])('end the session with a length of %s', async (_, bytes) => {
    const raw = await openSession(registry.sandbox);
    raw.bytes(Buffer.from([...bytes, 60, 120]));
    await raw.closed();
  });
});
