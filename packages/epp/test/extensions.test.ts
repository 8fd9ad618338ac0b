import { beforeAll, describe, expect, test } from 'vitest';
import { loginRequest } from '../src/client/login-request.ts';
import {
  ALL_NAMESPACES,
  DEFAULT_PROFILE,
  type EppRequest,
  extensionUris,
  type Greeting,
  IETF_NAMESPACES,
  loadSchemas,
  type Namespaces,
  objectUris,
  parseXml,
  readCommand,
  readResponse,
  redactFrame,
  type Schemas,
  writeCommand,
  writeResponse,
} from '../src/index.ts';
import { EXTENSION_REQUESTS } from './support/sample-extensions.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

const create = { object: 'domain', verb: 'create', name: 'xn--dn-xka.example', authInfo: { pw: 'abc-123' } } as const;

test("writes Verisign's IDN table as a language tag by the namespace URI", () => {
  const ns: Namespaces = { ...ALL_NAMESPACES, idn: 'http://www.verisign.com/epp/idnLang-1.0' };
  const xml = writeCommand({ ...create, ext: { idn: { table: 'DAN', uname: 'dån.example' } } }, 'ABC-1', ns);
  expect(xml).toContain('>DAN</idn:tag>');
  expect(schemas.validator(xml)).toEqual([]);
  expect(readCommand(parseXml(xml), ns)).toMatchObject({ request: { ext: { idn: { table: 'DAN' } } } });
  const answerXml = writeResponse(
    { results: [{ code: 1000 }], ext: { idn: { table: 'DAN' } } },
    { svTRID: 'SV-1' },
    ns,
  );
  expect(readResponse(parseXml(answerXml), ns).ext).toEqual({ idn: { table: 'DAN' } });
});

test('keeps other content of the neulevel and .asia elements unchanged', () => {
  const { usNexus, asiaCed, epp } = ALL_NAMESPACES;
  const answer = (inner: string) =>
    readResponse(
      parseXml(`<epp xmlns="${epp}"><response><result code="1000"><msg>ok</msg></result>
        <extension>${inner}</extension><trID><svTRID>SV-1</svTRID></trID></response></epp>`),
      ALL_NAMESPACES,
    ).ext;
  const unspec = (text: string) => `<n:extension xmlns:n="${usNexus}"><n:unspec>${text}</n:unspec></n:extension>`;
  expect(answer(unspec('EXTContact=abc'))).toEqual({ other: [expect.objectContaining({ name: 'extension' })] });
  // Seen at the registry: lower case, another order, further values in between.
  expect(answer(unspec('nexusCategory=C31/DE WhoisType=LEGAL appPurpose=P2'))).toEqual({
    tld: { us: { us_purpose: 'P2', us_category: 'C31/DE' } },
  });
  const asia = (inner: string) => `<a:infData xmlns:a="${asiaCed}">${inner}</a:infData>`;
  expect(answer(asia('<a:maintainerUrl>https://a.example/</a:maintainerUrl>'))).toHaveProperty('other');
  expect(answer(asia('<a:contact type="opn">one</a:contact><a:contact type="ced">two</a:contact>'))).toEqual({
    tld: { asia: { asia_contact_id: 'two' } },
  });
});

describe('keysys', () => {
  const { keysys, epp } = ALL_NAMESPACES;
  const update = { object: 'domain', verb: 'update', name: 'a.example' } as const;
  const written = (fields: Record<string, string>) =>
    writeCommand({ ...update, ext: { keysys: fields } }, 'ABC-1', ALL_NAMESPACES);

  test('writes its elements in alphabetical order', () => {
    const xml = written({ 'whois-privacy': '0', X1: 'a', renewalmode: 'AUTOEXPIRE', 'de-abuse-contact': 'b' });
    expect(xml.match(/(?<=<keysys:)[\w-]+(?=>)/g)).toEqual([
      'domain',
      'de-abuse-contact',
      'renewalmode',
      'whois-privacy',
      'X1',
    ]);
    expect(schemas.validator(xml)).toEqual([]);
    expect(schemas.validator(written({ renewalmode: 'SOMETIMES' }))).not.toEqual([]);
  });

  test('keeps elements in another order or about two objects whole', () => {
    const sent = (inner: string) =>
      readCommand(
        parseXml(`<epp xmlns="${epp}"><command><update><d:update xmlns:d="${ALL_NAMESPACES.domain}"><d:name>a.example</d:name></d:update></update>
          <extension><k:update xmlns:k="${keysys}">${inner}</k:update></extension><clTRID>ABC-1</clTRID></command></epp>`),
        ALL_NAMESPACES,
      );
    const [lock, mode] = ['<k:transferlock>1</k:transferlock>', '<k:renewalmode>DEFAULT</k:renewalmode>'];
    expect(sent(`<k:domain>${mode}${lock}</k:domain>`)).toMatchObject({
      request: { ext: { keysys: { transferlock: '1', renewalmode: 'DEFAULT' } } },
    });
    for (const inner of [
      `<k:domain>${lock}${mode}</k:domain>`,
      `<k:domain>${mode}</k:domain><k:contact>${mode}</k:contact>`,
    ])
      expect(sent(inner)).toMatchObject({ request: { ext: { other: [{ name: 'update' }] } } });
  });

  test('reads the first of two equal elements in an answer', () => {
    const data = '<k:renewalmode>AUTOEXPIRE</k:renewalmode><k:renewalmode>AUTORENEW</k:renewalmode>';
    const xml = `<epp xmlns="${epp}"><response><result code="1000"><msg>ok</msg></result>
      <extension><k:resData xmlns:k="${keysys}"><k:infData>${data}</k:infData></k:resData></extension><trID><svTRID>SV-1</svTRID></trID></response></epp>`;
    expect(readResponse(parseXml(xml), ALL_NAMESPACES).ext).toEqual({
      keysys: { type: 'infData', fields: { renewalmode: 'AUTOEXPIRE' } },
    });
  });
});

describe('an extension without a URI in the profile', () => {
  test.each(Object.entries(EXTENSION_REQUESTS))('is never sent: %s', (_path, request: EppRequest) => {
    expect(() => writeCommand(request, 'ABC-1', IETF_NAMESPACES)).toThrow('not served');
  });

  test('is not announced at login', () => {
    expect(extensionUris(IETF_NAMESPACES)).not.toContain(ALL_NAMESPACES.launch);
    expect(extensionUris(ALL_NAMESPACES)).toContain(ALL_NAMESPACES.launch);
    expect(new Set(extensionUris(ALL_NAMESPACES)).size).toBe(Object.keys(ALL_NAMESPACES).length - 7);
  });
});

test('redactFrame hides an allocation token like an auth code', () => {
  const xml = writeCommand({ ...create, ext: { allocationToken: 'tok-SECRET' } }, 'ABC-1', ALL_NAMESPACES);
  expect(xml).toContain('tok-SECRET');
  expect(redactFrame(xml)).not.toContain('tok-SECRET');
});

describe('services announced at login', () => {
  const { lowBalancePoll, rgpPoll, secureAuthInfo, secDNS, domain, maintenance } = ALL_NAMESPACES;
  const greetingWith = (objURIs: readonly string[], extURIs: readonly string[]): Greeting => ({
    svID: 'test',
    svDate: new Date(0),
    versions: ['1.0'],
    langs: ['en'],
    objURIs,
    extURIs,
  });
  const profile = { ...DEFAULT_PROFILE, namespaces: ALL_NAMESPACES };
  const announced = (greeting: Greeting, of = profile) => {
    const { objURIs, extURIs } = loginRequest({ clID: 'us-1', pw: 'secret-1' }, greeting, of);
    return { objURIs, extURIs };
  };

  test('include poll mappings as objects if the greeting lists them so', () => {
    expect(announced(greetingWith([domain, lowBalancePoll, rgpPoll, maintenance], [secDNS]))).toEqual({
      objURIs: [domain, lowBalancePoll, rgpPoll, maintenance],
      extURIs: [secDNS],
    });
    expect(announced(greetingWith([domain], [secDNS, rgpPoll]))).toEqual({
      objURIs: [domain],
      extURIs: expect.arrayContaining([secDNS, rgpPoll]),
    });
  });

  test('include poll mappings as objects in our own greeting', () => {
    expect(objectUris(ALL_NAMESPACES)).toEqual(expect.arrayContaining([lowBalancePoll, rgpPoll]));
    expect(extensionUris(ALL_NAMESPACES)).not.toContain(rgpPoll);
  });

  test('include RFC 9154 only if every TLD follows it', () => {
    const greeting = greetingWith([domain], [secureAuthInfo]);
    const following = (rules: object, tlds: Record<string, { secureAuthInfo: boolean }> = {}) =>
      announced(greeting, { ...profile, rules: { ...profile.rules, ...rules }, tlds }).extURIs;
    expect(following({})).toEqual([]);
    expect(following({ secureAuthInfo: true })).toEqual([secureAuthInfo]);
    expect(following({ secureAuthInfo: true }, { odd: { secureAuthInfo: false } })).toEqual([]);
  });
});
