import { beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  EppReadError,
  loadSchemas,
  parseXml,
  type ResponseSpec,
  readResponse,
  type Schemas,
  unhandledUris,
  unhandledValue,
  validateFrame,
  writeResponse,
} from '../src/index.ts';
import { ds, key, SAMPLE_IDS } from './support/sample-parts.ts';

const NS = ALL_NAMESPACES;
let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

/** An answer as a registry may write it: its own prefixes, and these parts inside. */
function answer(parts: { result?: string; queue?: string; data?: string; extension?: string; ids?: string }): string {
  const { result = '<result code="1000"><msg>ok</msg></result>', ids = '<svTRID>SV-1</svTRID>' } = parts;
  const within = (name: string, inner: string | undefined) =>
    inner === undefined ? '' : `<${name}>${inner}</${name}>`;
  const body = `${result}${parts.queue ?? ''}${within('resData', parts.data)}${within('extension', parts.extension)}`;
  return `<epp xmlns="${NS.epp}"><response>${body}<trID>${ids}</trID></response></epp>`;
}
const read = (parts: Parameters<typeof answer>[0]) => readResponse(parseXml(answer(parts)), NS);
const fee = (name: string, inner: string) => `<f:${name} xmlns:f="${NS.fee}">${inner}</f:${name}>`;
const sec = (inner: string) => `<s:infData xmlns:s="${NS.secDNS}">${inner}</s:infData>`;
const dsXml = (digest = 'ab cd') =>
  `<s:dsData><s:keyTag> 12345 </s:keyTag><s:alg>13</s:alg><s:digestType>2</s:digestType><s:digest>${digest}</s:digest></s:dsData>`;
const keyXml =
  '<s:keyData><s:flags>257</s:flags><s:protocol>3</s:protocol><s:alg>13</s:alg><s:pubKey>AQPJ\n ////4Q==</s:pubKey></s:keyData>';

describe('results', () => {
  test('are read with values, reasons and languages', () => {
    const result = `<result code="2306"><msg lang="id">tidak\tboleh</msg><value><x xmlns="urn:x"/><y/></value>
      <extValue><value><undef/></value><reason lang="en">too\nyoung</reason></extValue></result><result code="2005"><msg/></result>`;
    expect(read({ result }).results).toMatchObject([
      { code: 2306, msg: 'tidak boleh', lang: 'id', values: [{ ns: 'urn:x', name: 'x' }] },
      { code: 2005, msg: '' },
    ]);
    const [first] = read({ result }).results;
    expect(first.values).toHaveLength(1);
    expect(first.extValues).toEqual([{ reason: 'too young', lang: 'en' }]);
  });

  test('have an empty reason if it is missing', () => {
    const result = '<result code="2306"><msg>no</msg><extValue><value><a/></value></extValue></result>';
    expect(read({ result }).results[0].extValues).toMatchObject([{ reason: '', value: { name: 'a' } }]);
  });

  test('may lack both clTRID and svTRID', () => {
    expect(read({ ids: '<clTRID> C-1 </clTRID>' })).toMatchObject({ clTRID: 'C-1', svTRID: '' });
    expect(read({})).not.toHaveProperty('clTRID');
  });

  test.each([
    ['no result', { result: '' }],
    ['no message', { result: '<result code="1000"/>' }],
    ['no code', { result: '<result><msg>ok</msg></result>' }],
    ['a code that is not a number', { result: '<result code="ok"><msg>ok</msg></result>' }],
    ['a queue without a count', { queue: '<msgQ id="1"/>' }],
    ['a queue with an invalid date', { queue: '<msgQ count="1" id="1"><qDate>soon</qDate></msgQ>' }],
  ])('are refused: %s', (_what, parts) => expect(() => read(parts)).toThrow(EppReadError));

  test('are refused without trID', () => {
    const xml = answer({}).replace(/<trID>.*<\/trID>/, '');
    expect(() => readResponse(parseXml(xml), NS)).toThrow('trID is missing');
  });

  test('have a default message for a code without a known wording', () => {
    const spec: ResponseSpec = { results: [{ code: 2599 }, { code: 2303, msg: 'weg', lang: 'de' }] };
    const xml = writeResponse(spec, SAMPLE_IDS, NS);
    expect(readResponse(parseXml(xml), NS).results).toEqual([
      { code: 2599, msg: 'Unknown result' },
      { code: 2303, msg: 'weg', lang: 'de' },
    ]);
  });
});

describe('the message queue', () => {
  test('has a count and no id if it is empty', () => {
    expect(read({ queue: '<msgQ count="0"/>' }).msgQ).toEqual({ count: 0, id: '' });
  });
  test('contains messages whose markup is read as text', () => {
    const queue =
      '<msgQ count="3" id="9"><qDate>2027-01-31T12:00:00Z</qDate><msg lang="en"> Low <b>balance</b>\n now </msg></msgQ>';
    expect(read({ queue }).msgQ).toEqual({
      count: 3,
      id: '9',
      qDate: new Date('2027-01-31T12:00:00Z'),
      text: 'Low balance now',
      lang: 'en',
    });
  });
});

describe('data', () => {
  test('is absent for an empty resData, and kept unchanged without a codec', () => {
    expect(read({ data: '' })).not.toHaveProperty('data');
    const unknown = '<x:a xmlns:x="urn:x">1</x:a><x:b xmlns:x="urn:x"/>';
    expect(read({ data: unknown }).data).toMatchObject({ object: 'other', elements: [{ name: 'a' }, { name: 'b' }] });
    const newer = `<d:futureData xmlns:d="${NS.domain}"/>`;
    expect(read({ data: newer }).data).toMatchObject({ object: 'other', elements: [{ name: 'futureData' }] });
  });

  test('reads a check as available or unavailable with reason, and refuses another value', () => {
    const cd = (avail: string, more = '') =>
      `<d:chkData xmlns:d="${NS.domain}"><d:cd><d:name avail="${avail}"> a.com </d:name>${more}</d:cd></d:chkData>`;
    expect(read({ data: cd('true') }).data).toMatchObject({ items: [{ id: 'a.com', available: true }] });
    expect(read({ data: cd('0', '<d:reason lang="en"> in  use </d:reason>') }).data).toMatchObject({
      items: [{ id: 'a.com', available: false, reason: 'in use', lang: 'en' }],
    });
    expect(() => read({ data: cd('maybe') })).toThrow('not a boolean');
  });

  test('reads host addresses as IPv4 by default, and statuses with text', () => {
    const host = `<h:infData xmlns:h="${NS.host}"><h:name>ns.a.com</h:name><h:roid>R-1</h:roid><h:status s="ok"/><h:status s="linked" lang="en">used</h:status>
      <h:addr>192.0.2.1</h:addr><h:addr ip="v6">2001:db8::1</h:addr><h:clID>X</h:clID><h:crID>X</h:crID><h:crDate>2027-01-31T12:00:00Z</h:crDate></h:infData>`;
    expect(read({ data: host }).data).toMatchObject({
      statuses: [{ value: 'ok' }, { value: 'linked', text: 'used', lang: 'en' }],
      addresses: [
        { address: '192.0.2.1', version: 'v4' },
        { address: '2001:db8::1', version: 'v6' },
      ],
    });
  });

  test('contains an auth code with its roid, but none from an ext element', () => {
    const info = (auth: string) =>
      `<d:infData xmlns:d="${NS.domain}"><d:name>a.com</d:name><d:roid>R-1</d:roid><d:clID>X</d:clID>${auth}</d:infData>`;
    const withCode = info('<d:authInfo><d:pw roid="C-1">2foo BAR</d:pw></d:authInfo>');
    expect(read({ data: withCode }).data).toMatchObject({ authInfo: { pw: '2foo BAR', roid: 'C-1' } });
    for (const none of ['', '<d:authInfo><d:ext><x/></d:ext></d:authInfo>', '<d:authInfo><d:null/></d:authInfo>']) {
      expect(read({ data: info(none) }).data).not.toHaveProperty('authInfo');
    }
  });
});

describe('extensions', () => {
  test('return DS records with upper-case digests, or keys without blanks, never both', () => {
    expect(read({ extension: sec(dsXml('abCD')) }).ext.secDNS).toEqual({
      kind: 'ds',
      records: [{ keyTag: 12345, alg: 13, digestType: 2, digest: 'ABCD' }],
    });
    const keys = read({ extension: sec(`<s:maxSigLife>604800</s:maxSigLife>${keyXml}`) }).ext.secDNS;
    expect(keys).toEqual({ kind: 'key', records: [key], maxSigLifeSeconds: 604_800 });
    expect(() => read({ extension: sec(dsXml() + keyXml) })).toThrow('dsData and keyData together');
    expect(read({ extension: sec('') }).ext.secDNS).toEqual({ kind: 'ds', records: [] });
  });

  test('return a DS record with its key', () => {
    const spec: ResponseSpec = {
      results: [{ code: 1000 }],
      ext: { secDNS: { kind: 'ds', records: [{ ...ds, key }] } },
    };
    const xml = writeResponse(spec, SAMPLE_IDS, NS);
    expect(schemas.validator(xml)).toEqual([]);
    expect(readResponse(parseXml(xml), NS).ext.secDNS).toEqual(spec.ext?.secDNS);
  });

  test('return prices as available by default, and as standard only if stated', () => {
    const cd = (attrs: string, command: string) =>
      fee('chkData', `<f:currency>USD</f:currency><f:cd${attrs}><f:objID>a.com</f:objID>${command}</f:cd>`);
    const command = (attrs: string) =>
      `<f:command name="create"${attrs}><f:period unit="y">2</f:period><f:fee refundable="1" grace-period="P5D" applied="delayed">20.00</f:fee><f:credit description="spring">-1</f:credit></f:command>`;
    expect(read({ extension: cd('', command('')) }).ext.feeCheck).toEqual({
      currency: 'USD',
      items: [
        {
          id: 'a.com',
          available: true,
          prices: [
            {
              name: 'create',
              period: { value: 2, unit: 'y' },
              fees: [{ amount: '20.00', refundable: true, gracePeriod: 'P5D', applied: 'delayed' }],
              credits: [{ amount: '-1', description: 'spring' }],
            },
          ],
        },
      ],
    });
    const premium = read({ extension: cd(' avail="0"', command(' standard="0"')) }).ext.feeCheck!;
    expect(premium.items[0]).toMatchObject({ available: false, prices: [{ standard: false }] });
    expect(read({ extension: cd(' avail="1"', command(' standard="true"')) }).ext.feeCheck?.items[0]).toMatchObject({
      available: true,
      prices: [{ standard: true }],
    });
    expect(() => read({ extension: cd('', command('').replace('unit="y"', 'unit="d"')) })).toThrow('neither y nor m');
    expect(() => read({ extension: fee('chkData', '<f:cd/>') })).toThrow('objID is missing');
  });

  test.each([
    ['create', undefined, 'creData'],
    ['renew', undefined, 'renData'],
    ['transfer', undefined, 'trnData'],
    ['update', undefined, 'updData'],
    ['delete', undefined, 'delData'],
    [undefined, 'renData', 'renData'],
    [undefined, undefined, 'updData'],
    ['info', undefined, 'updData'],
  ])('return the charge for %s (data: %s) from %s', (verb, type, name) => {
    const charged = { currency: 'USD', fees: [{ amount: '9.00' }], credits: [], balance: '100.00', creditLimit: '5' };
    const exDate = new Date('2028-01-01T00:00:00Z');
    const data = type ? { data: { object: 'domain', type: 'renData', name: 'a.com', exDate } as const } : {};
    const xml = writeResponse({ results: [{ code: 1000 }], ext: { fee: charged }, ...data }, SAMPLE_IDS, NS, verb);
    expect(xml).toContain(`<fee:${name}`);
    expect(readResponse(parseXml(xml), NS).ext.fee).toEqual(charged);
    expect(schemas.validator(xml)).toEqual([]);
  });

  test('keep duplicates and other versions unchanged and separate', () => {
    const twice = fee('updData', '<f:fee>1</f:fee>') + fee('updData', '<f:fee>2</f:fee>');
    const { ext } = read({ extension: `${twice}<f:updData xmlns:f="urn:ietf:params:xml:ns:epp:fee-0.21"/>` });
    expect(ext.fee?.fees).toEqual([{ amount: '1' }]);
    expect(ext.other?.map(({ ns, name }) => [ns, name])).toEqual([
      [NS.fee, 'updData'],
      ['urn:ietf:params:xml:ns:epp:fee-0.21', 'updData'],
    ]);
    const strange = read({ extension: `${fee('otherData', '')}<r:delData xmlns:r="${NS.rgp}"/>` }).ext;
    expect(strange).toEqual({ other: [expect.anything(), expect.anything()] });
  });

  test('return grace periods from an info and an update', () => {
    for (const name of ['infData', 'upData']) {
      const rgp = `<r:${name} xmlns:r="${NS.rgp}"><r:rgpStatus s="addPeriod"/><r:rgpStatus s="pendingRestore"/></r:${name}>`;
      expect(read({ extension: rgp }).ext.rgp).toEqual({
        statuses: [{ value: 'addPeriod' }, { value: 'pendingRestore' }],
      });
    }
    const spec: ResponseSpec = { results: [{ code: 1000 }], ext: { rgp: { statuses: [{ value: 'addPeriod' }] } } };
    expect(writeResponse(spec, SAMPLE_IDS, NS, 'update')).toContain('<rgp:upData');
    expect(writeResponse(spec, SAMPLE_IDS, NS, 'info')).toContain('<rgp:infData');
  });

  test('return a warning of an unknown level as a warning', () => {
    const events = `<l:loginSecData xmlns:l="${NS.loginSec}"><l:event type="password" level="error" exDate="2027-01-31T12:00:00Z">old\tone</l:event><l:event type="new" level="notice" name="x" value="1" duration="P1D"/></l:loginSecData>`;
    expect(read({ extension: events }).ext.loginSec?.events).toEqual([
      { type: 'password', level: 'error', expiresAt: new Date('2027-01-31T12:00:00Z'), text: 'old one' },
      { type: 'new', level: 'warning', name: 'x', value: '1', duration: 'P1D', text: '' },
    ]);
  });
});

describe('namespaces that the client did not announce (RFC 9038)', () => {
  const spec: ResponseSpec = {
    results: [{ code: 1000, extValues: [{ reason: 'first' }] }, { code: 1001 }],
    ext: { secDNS: { kind: 'ds', records: [ds] }, loginSec: { events: [] } },
  };
  const services = { objURIs: [], extURIs: [], unhandledNamespaces: true };
  test('move behind the reasons of the first result, except those of the login', () => {
    const answered = readResponse(parseXml(writeResponse(spec, SAMPLE_IDS, NS, 'info', services)), NS);
    expect(answered.ext).toEqual({ loginSec: { events: [] } });
    expect(answered.results[0].extValues?.map(({ reason }) => reason)).toEqual([
      'first',
      `${NS.secDNS} not in login services`,
    ]);
    expect(answered.results[1]).not.toHaveProperty('extValues');
    expect(unhandledUris(answered.results)).toEqual([NS.secDNS]);
  });
  test('stay in place if they were announced, as an object or as an extension', () => {
    for (const more of [{ objURIs: [NS.secDNS] }, { extURIs: [NS.secDNS] }]) {
      const xml = writeResponse(spec, SAMPLE_IDS, NS, 'info', { ...services, ...more });
      expect(readResponse(parseXml(xml), NS).ext).toHaveProperty('secDNS');
    }
  });
  test('are reported once each, and other reasons are not reported', () => {
    const value = unhandledValue(parseXml('<a xmlns="urn:x"/>'));
    const results = [
      { code: 1000, extValues: [value, value, { reason: 'urn:y not in login services' }] },
      { code: 1000, extValues: [{ ...value, reason: 'something else' }] },
      { code: 1000 },
    ];
    expect(unhandledUris(results)).toEqual(['urn:x']);
  });
});

describe('schema violations', () => {
  const login = (pw: string) =>
    `<epp xmlns="${NS.epp}"><command><login><clID>registrar1</clID><pw>${pw}</pw><options><version>1.0</version><lang>en</lang></options><svcs><objURI>urn:x</objURI></svcs></login></command></epp>`;
  test('are reported with the facet of a secret, never with the secret', async () => {
    expect(schemas.validator(login('secret-1'))).toEqual([]);
    const reasons = schemas.validator(login('x7!'));
    expect(reasons.join()).toContain("Element 'pw': the value is not valid (minLength).");
    expect(reasons.join()).not.toContain('x7!');
    await expect(validateFrame(login('x7!'))).rejects.toMatchObject({ kind: 'schema' });
    await expect(validateFrame(login('secret-1'))).resolves.toBeUndefined();
  });
  test('are reported at most ten times, without namespace URIs, also for malformed XML', () => {
    const many = `<epp xmlns="${NS.epp}"><command>${'<nonsense/>'.repeat(3)}<check><d:check xmlns:d="${NS.domain}">${'<d:name/>'.repeat(30)}</d:check></check></command></epp>`;
    const reasons = schemas.validator(many);
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.length).toBeLessThanOrEqual(10);
    expect(reasons.join()).not.toContain('{urn:');
    expect(schemas.validator('<epp')).toHaveLength(1);
  });
});
