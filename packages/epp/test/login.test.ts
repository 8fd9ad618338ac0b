import { beforeAll, describe, expect, test } from 'vitest';
import { loginRequest } from '../src/client/login-request.ts';
import {
  ALL_NAMESPACES,
  EppInputError,
  EppReadError,
  type Greeting,
  LOGIN_SECURITY_MARK,
  loadSchemas,
  parseXml,
  type RegistryProfile,
  readGreeting,
  type Schemas,
  writeCommand,
  writeGreetingFrame,
} from '../src/index.ts';
import { refuseServices, resolveLoginSec } from '../src/server/login.ts';
import { TEST_PROFILE } from './support/registry.ts';
import { SAMPLE_GREETING } from './support/sample-parts.ts';

const NS = ALL_NAMESPACES;
let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

const offers: Greeting = { ...SAMPLE_GREETING, langs: ['en'], objURIs: [NS.domain], extURIs: [NS.secDNS] };
const secured: Greeting = { ...offers, extURIs: [NS.loginSec] };
const who = { clID: 'registrar1', pw: 'secret-1' };
const profile = (more: Partial<RegistryProfile> = {}): RegistryProfile => ({ ...TEST_PROFILE, ...more });

describe('services announced in a login', () => {
  test('are the objects and extensions of the greeting, in our order', () => {
    const greeting = { ...offers, objURIs: ['urn:x', NS.host, NS.domain], extURIs: [NS.fee, 'urn:y', NS.secDNS] };
    expect(loginRequest(who, greeting, profile())).toMatchObject({
      objURIs: [NS.domain, NS.host],
      extURIs: [NS.secDNS, NS.fee],
      version: '1.0',
    });
  });

  test('include nothing that is missing in the profile', () => {
    const namespaces = { epp: NS.epp, domain: NS.domain };
    const greeting = { ...offers, objURIs: [NS.domain, NS.contact], extURIs: Object.values(NS) };
    expect(loginRequest(who, greeting, profile({ namespaces }))).toMatchObject({ objURIs: [NS.domain], extURIs: [] });
  });

  test('include further extensions of the profile if they are offered', () => {
    const otherExtensionURIs = ['urn:offered', 'urn:not'];
    const greeting = { ...offers, extURIs: ['urn:offered'] };
    expect(loginRequest(who, greeting, profile({ otherExtensionURIs })).extURIs).toEqual(['urn:offered']);
  });

  test.each([
    [['en', 'id'], 'id', 'id'],
    [['fr', 'en'], 'id', 'fr'],
    [[], 'id', 'id'],
  ])('announces, for the languages %j and our %s, the language %s', (langs, lang, expected) => {
    expect(loginRequest(who, { ...offers, langs }, profile({ lang })).lang).toBe(expected);
  });
});

describe('passwords', () => {
  const pw = (length: number) => 'p'.repeat(length);
  test('sends passwords of six to sixteen characters in the login', () => {
    for (const length of [6, 16]) {
      const login = loginRequest({ ...who, pw: pw(length), newPW: pw(length) }, secured, profile());
      expect(login).toMatchObject({ pw: pw(length), newPW: pw(length) });
      expect(login).not.toHaveProperty('ext');
      expect(schemas.validator(writeCommand(login, 'ABC-1', NS))).toEqual([]);
    }
  });

  test('sends passwords of seventeen characters by loginSec, each separately', () => {
    const login = loginRequest({ ...who, newPW: pw(17) }, secured, profile());
    expect(login).toMatchObject({ pw: who.pw, newPW: LOGIN_SECURITY_MARK, ext: { loginSec: { newPW: pw(17) } } });
    expect(login.ext?.loginSec).not.toHaveProperty('pw');
    const both = loginRequest({ ...who, pw: pw(17), newPW: pw(7) }, secured, profile());
    expect(both).toMatchObject({ pw: LOGIN_SECURITY_MARK, newPW: pw(7), ext: { loginSec: { pw: pw(17) } } });
    expect(schemas.validator(writeCommand(both, 'ABC-1', NS))).toEqual([]);
  });

  test.each(['pw', 'newPW'])(
    'in %s that are too short, or too long without loginSec, are refused and not quoted',
    (field) => {
      for (const [length, greeting] of [
        [5, secured],
        [17, offers],
      ] as const) {
        let caught: unknown;
        try {
          loginRequest({ ...who, [field]: pw(length) }, greeting, profile());
        } catch (error) {
          caught = error;
        }
        expect(caught).toBeInstanceOf(EppInputError);
        expect(caught).toMatchObject({ field });
        expect(String(caught)).not.toContain(pw(length));
      }
    },
  );

  test('sends passwords of any length by loginSec if the profile requires it', () => {
    const login = loginRequest({ ...who, newPW: 'secret-2' }, secured, profile({ alwaysLoginSec: true }));
    expect(login).toMatchObject({
      pw: LOGIN_SECURITY_MARK,
      newPW: LOGIN_SECURITY_MARK,
      ext: { loginSec: { pw: who.pw, newPW: 'secret-2' } },
    });
  });

  test('are not sent by loginSec if only the registry supports it', () => {
    const { loginSec: _, ...namespaces } = NS;
    expect(() => loginRequest({ ...who, pw: pw(17) }, secured, profile({ namespaces }))).toThrow('too long');
  });

  test('are sent with the program name only if loginSec carries it', () => {
    const userAgent = { app: 'test 1.0', os: 'any' };
    expect(loginRequest({ ...who, userAgent }, secured, profile()).ext).toEqual({ loginSec: { userAgent } });
    expect(loginRequest({ ...who, userAgent }, offers, profile())).not.toHaveProperty('ext');
  });
});

describe('a login as read by the server', () => {
  const login = { ...loginRequest(who, secured, profile()), extURIs: [NS.loginSec] };
  const hidden = { ...login, pw: LOGIN_SECURITY_MARK };
  test('contains the long passwords of loginSec', () => {
    const both = { ...hidden, newPW: LOGIN_SECURITY_MARK, ext: { loginSec: { pw: 'long one', newPW: 'another' } } };
    expect(resolveLoginSec(both, NS)).toMatchObject({ pw: 'long one', newPW: 'another' });
    expect(resolveLoginSec(login, NS)).toBe(login);
  });
  test('is refused with 2003 for [LOGIN-SECURITY] without its password', () => {
    expect(resolveLoginSec(hidden, NS)).toMatchObject({ results: [{ code: 2003 }] });
    const half = { ...hidden, newPW: LOGIN_SECURITY_MARK, ext: { loginSec: { pw: 'long one' } } };
    expect(resolveLoginSec(half, NS)).toMatchObject({
      results: [{ code: 2003, extValues: [{ reason: 'loginSec:newPW is missing' }] }],
    });
  });
  test('is refused with 2103 for loginSec that was not announced', () => {
    const sly = { ...hidden, extURIs: [], ext: { loginSec: { pw: 'long one' } } };
    expect(resolveLoginSec(sly, NS)).toMatchObject({ results: [{ code: 2103 }] });
  });
  test('is refused with every unserved service', () => {
    expect(refuseServices({ ...login, objURIs: [NS.domain], extURIs: [NS.loginSec] }, secured)).toBeUndefined();
    const objects = refuseServices({ ...login, objURIs: ['urn:a', NS.domain, 'urn:b'] }, secured);
    expect(objects?.results).toMatchObject([
      { code: 2307, extValues: [{ reason: 'urn:a is not served' }, { reason: 'urn:b is not served' }] },
    ]);
    expect(refuseServices({ ...login, objURIs: [], extURIs: ['urn:c'] }, secured)?.results[0].code).toBe(2103);
  });
});

describe('greetings', () => {
  const greeting = (menu: string, rest = '<svID>R</svID><svDate>2027-01-31T12:00:00.0Z</svDate>') =>
    `<epp xmlns="${NS.epp}"><greeting>${rest}<svcMenu>${menu}</svcMenu><dcp/></greeting></epp>`;
  const read = (xml: string) => readGreeting(parseXml(xml), NS);

  test('are read without extensions', () => {
    expect(read(greeting(`<version>1.0</version><lang>en</lang><objURI>${NS.domain}</objURI>`))).toEqual({
      svID: 'R',
      svDate: new Date('2027-01-31T12:00:00Z'),
      versions: ['1.0'],
      langs: ['en'],
      objURIs: [NS.domain],
      extURIs: [],
    });
  });

  test('are read with line breaks, comments, unknown elements and another prefix', () => {
    const xml = `<e:epp xmlns:e="${NS.epp}"><e:greeting>
      <e:svID>\n Registry of  Things </e:svID><x xmlns="urn:x">1</x><e:svDate>2027-01-31T12:00:00</e:svDate>
      <e:svcMenu><!-- two --><e:version> 1.0 </e:version><e:lang>en</e:lang><e:lang>id</e:lang>
      <e:objURI>\n${NS.domain}\n</e:objURI><e:svcExtension><e:extURI>urn:y</e:extURI></e:svcExtension></e:svcMenu>
      </e:greeting></e:epp>`;
    expect(read(xml)).toMatchObject({
      svID: 'Registry of Things',
      versions: ['1.0'],
      langs: ['en', 'id'],
      objURIs: [NS.domain],
      extURIs: ['urn:y'],
    });
  });

  test.each([
    ['another document', '<html/>'],
    ['an answer', `<epp xmlns="${NS.epp}"><response/></epp>`],
    ['another namespace', greeting('').replace(NS.epp, 'urn:x')],
    ['no server name', greeting('', '<svDate>2027-01-31T12:00:00Z</svDate>')],
    ['no date', greeting('', '<svID>R</svID>')],
    ['an invalid date', greeting('', '<svID>R</svID><svDate>now</svDate>')],
    ['no service menu', greeting('').replace('<svcMenu></svcMenu>', '')],
  ])('are refused: %s', (_what, xml) => expect(() => read(xml)).toThrow(EppReadError));

  test('writes valid greetings, with and without extensions, and reads them back the same', () => {
    for (const given of [SAMPLE_GREETING, { ...SAMPLE_GREETING, extURIs: [] }]) {
      const written = writeGreetingFrame(given, NS);
      expect(schemas.validator(written)).toEqual([]);
      expect(read(written)).toEqual(given);
    }
  });
});
