import { beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  type Greeting,
  loadSchemas,
  type Schemas,
  writeCommand,
  writeHelloFrame,
} from '../src/index.ts';
import { screenFrame } from '../src/server/screen.ts';
import { SAMPLE_GREETING } from './support/sample-parts.ts';
import { REQUESTS } from './support/sample-requests.ts';

const NS = ALL_NAMESPACES;
const offered: Greeting = {
  ...SAMPLE_GREETING,
  langs: ['en'],
  objURIs: [NS.domain, NS.contact, NS.host, NS.balance],
  extURIs: Object.values(NS),
};
let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

const screen = (xml: string, menu: Greeting = offered, validate = schemas.validator) =>
  screenFrame(Buffer.from(xml), NS, menu, validate);
const codeOf = (xml: string, menu?: Greeting) => {
  const screened = screen(xml, menu);
  return screened.kind === 'refused' ? screened.response.results[0].code : screened.kind;
};
const command = (inner: string, id = '<clTRID>ABC-1</clTRID>') =>
  `<epp xmlns="${NS.epp}"><command>${inner}${id}</command></epp>`;
const check = `<check><d:check xmlns:d="${NS.domain}"><d:name>a.com</d:name></d:check></check>`;

describe('accepted frames', () => {
  test('include every command that we can write, unchanged', () => {
    for (const [name, request] of Object.entries(REQUESTS)) {
      const screened = screen(writeCommand(request, 'ABC-1', NS));
      expect(screened, name).toMatchObject({ kind: 'command', clTRID: 'ABC-1', request });
    }
  });

  test('list the namespaces of the extensions that a command uses', () => {
    const update = { object: 'domain', verb: 'update', name: 'a.com', ext: { rgp: { op: 'request' } } } as const;
    expect(screen(writeCommand(update, 'ABC-1', NS))).toMatchObject({ extensionUris: [NS.rgp] });
    expect(screen(command(check))).toMatchObject({ extensionUris: [] });
  });

  test('include hello', () => expect(screen(writeHelloFrame(NS))).toEqual({ kind: 'hello' }));
});

describe('refused frames', () => {
  test.each([
    ['no command', command(''), 2000],
    ['an unknown verb', command('<destroy/>'), 2000],
    ['a verb of another namespace', command('<x:check xmlns:x="urn:x"/>'), 2000],
    ['an unserved object', command(check.replaceAll(NS.domain, 'urn:x')), 2307],
    [
      'a verb that the object does not have',
      command(check.replaceAll('check', 'renew').replaceAll(NS.domain, NS.host)),
      2101,
    ],
    ['an unserved extension', command(`${check}<extension><x xmlns="urn:x"/></extension>`), 2103],
    ['a command that violates its schema', command('<check/>'), 2001],
    ['malformed XML', '<epp', 2001],
    ['another document', '<html/>', 2001],
    ['a greeting', `<epp xmlns="${NS.epp}"><greeting/></epp>`, 2001],
  ])('get their code: %s', (_what, xml, code) => expect(codeOf(xml)).toBe(code));

  test('name every unserved extension', () => {
    const screened = screen(
      command(`${check}<extension><x xmlns="urn:x"/><f:f xmlns:f="${NS.fee}"/><y xmlns="urn:y"/></extension>`),
    );
    expect(screened).toMatchObject({
      response: { results: [{ extValues: [{ reason: 'urn:x is not served' }, { reason: 'urn:y is not served' }] }] },
    });
  });

  test('end the connection for a DTD, not for a mistake', () => {
    expect(screen('<!DOCTYPE a><a/>')).toMatchObject({ response: { results: [{ code: 2001 }], close: true } });
    expect(screen('<a')).not.toHaveProperty('response.close');
  });

  test('do not hide errors other than read errors', () => {
    const broken = () => {
      throw new TypeError('an error of the test');
    };
    expect(() => screen(command(check), offered, broken)).toThrow(TypeError);
  });
});

describe('the clTRID of a refused frame', () => {
  const idOf = (id: string) => {
    const screened = screen(command('<destroy/>', id));
    return screened.kind === 'refused' ? screened.clTRID : 'taken';
  };
  test('is returned if it has three to sixty-four characters', () => {
    expect(idOf('<clTRID>abc</clTRID>')).toBe('abc');
    expect(idOf(`<clTRID>${'x'.repeat(64)}</clTRID>`)).toBe('x'.repeat(64));
    expect(idOf('<clTRID> a\n b </clTRID>')).toBe('a b');
    for (const none of ['', '<clTRID/>', '<clTRID>ab</clTRID>', `<clTRID>${'x'.repeat(65)}</clTRID>`]) {
      expect(idOf(none)).toBeUndefined();
    }
  });
  test('is returned for a command that violates its schema', () => {
    expect(screen(command('<check/>'))).toMatchObject({ kind: 'refused', clTRID: 'ABC-1' });
  });
});

describe('login codes', () => {
  const login = (version: string, lang: string) =>
    command(
      `<login><clID>registrar1</clID><pw>secret-1</pw><options><version>${version}</version><lang>${lang}</lang></options><svcs><objURI>${NS.domain}</objURI></svcs></login>`,
    );
  test.each([
    ['1.0', 'en', 'command'],
    ['2.0', 'en', 2100],
    ['1.10', 'en', 2100],
    ['one', 'en', 2001],
    ['1.0', 'id', 2102],
    ['1.0', 'e', 2102],
    ['1.0', 'es-419', 2102],
    ['1.0', '12', 2001],
    ['1.0', 'abcdefghi', 2001],
    ['2.0', 'id', 2100],
  ])('for version %s, language %s: %s', (version, lang, code) => expect(codeOf(login(version, lang))).toBe(code));

  test('accept a version and a language that the greeting adds', () => {
    expect(codeOf(login('1.0', 'id'), { ...offered, langs: ['en', 'id'] })).toBe('command');
    const without = login('1.0', 'en').replace(/<options>.*<\/options>/, '');
    expect(codeOf(without)).toBe(2001);
  });
});
