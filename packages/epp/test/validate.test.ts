import { describe, expect, test } from 'vitest';
import { checkRequest, EppInputError, type ObjectRequest, type RegistryProfile } from '../src/index.ts';
import { TEST_PROFILE } from './support/registry.ts';
import { REQUESTS } from './support/sample-requests.ts';

const auth = { pw: 'abcdef12' };
const create = { object: 'domain', verb: 'create', name: 'a.com', authInfo: auth } as const;
const contact = {
  object: 'contact',
  verb: 'create',
  id: 'sh8013',
  postal: [{ type: 'int', name: 'A', addr: { street: [], city: 'B', cc: 'ID' } }],
  email: 'a@b.co',
  authInfo: auth,
} as const;
const renew = { object: 'domain', verb: 'renew', name: 'a.com', curExpDate: '2026-04-03' } as const;
const ds = { keyTag: 1, alg: 13, digestType: 2, digest: 'AB'.repeat(32) };
const updateDomain = { object: 'domain', verb: 'update', name: 'a.com' } as const;

const profile: RegistryProfile = {
  ...TEST_PROFILE,
  rules: { ...TEST_PROFILE.rules, authInfoMinLength: 6 },
  tlds: {
    thick: { dataModel: 'maximum', requiredContacts: ['admin', 'tech'] },
    min: { dataModel: 'minimum' },
    attr: { hostModel: 'attributes', minNameServers: 2 },
    'co.id': { maxPeriodYears: 2, dnssec: 'none' },
    safe: { secureAuthInfo: true },
  },
};

const BAD: [string, string, ObjectRequest][] = [
  ['a name of 300 characters', 'name', { ...create, name: `${'a.'.repeat(150)}com` }],
  ['a label of 64 characters', 'name', { ...create, name: `${'a'.repeat(64)}.com` }],
  ['a name without a dot', 'name', { ...create, name: 'com' }],
  ['an empty name', 'name', { ...create, name: '' }],
  ['a name that is not ASCII', 'name', { ...create, name: 'bücher.com' }],
  ['a name with a tag in it', 'name', { ...create, name: '<a>.com' }],
  ['a negative period', 'period', { ...create, period: { value: -1, unit: 'y' } }],
  ['a period of zero', 'period', { ...create, period: { value: 0, unit: 'y' } }],
  ['a fractional period', 'period', { ...create, period: { value: 1.5, unit: 'y' } }],
  ['eleven years', 'period', { ...create, period: { value: 11, unit: 'y' } }],
  ['three years where two are allowed', 'period', { ...create, name: 'a.co.id', period: { value: 3, unit: 'y' } }],
  ['a missing registrant', 'registrant', { ...create, name: 'a.thick' }],
  [
    'a missing contact',
    'contacts.tech',
    { ...create, name: 'a.thick', registrant: 'abc', contacts: [{ type: 'admin', id: 'abc' }] },
  ],
  ['a registrant where none is accepted', 'registrant', { ...create, name: 'a.min', registrant: 'abc' }],
  [
    'a contact where none is accepted',
    'contacts',
    { ...create, name: 'a.min', contacts: [{ type: 'tech', id: 'abc' }] },
  ],
  ['a contact id of two characters', 'contacts.tech', { ...create, contacts: [{ type: 'tech', id: 'ab' }] }],
  ['an empty auth code', 'authInfo', { ...create, authInfo: { pw: '' } }],
  ['a short auth code', 'authInfo', { ...create, authInfo: { pw: 'abc' } }],
  ['an auth code with a line end', 'authInfo', { ...create, authInfo: { pw: 'abcdef\n12' } }],
  [
    'host objects where attributes are required',
    'ns',
    { ...create, name: 'a.attr', ns: { model: 'objects', hosts: ['ns1.a.com', 'ns2.a.com'] } },
  ],
  ['too few nameservers', 'ns', { ...create, name: 'a.attr' }],
  [
    'fourteen nameservers',
    'ns',
    { ...create, ns: { model: 'objects', hosts: Array.from({ length: 14 }, (_, at) => `ns${at}.a.com`) } },
  ],
  ['a duplicate nameserver', 'ns', { ...create, ns: { model: 'objects', hosts: ['ns1.a.com', 'NS1.a.com'] } }],
  ['keys where DS records are required', 'secDNS', { ...create, ext: { secDNS: { kind: 'key', records: [] } } }],
  [
    'DS records where none are accepted',
    'secDNS',
    { ...create, name: 'a.co.id', ext: { secDNS: { kind: 'ds', records: [ds] } } },
  ],
  [
    'a digest of the wrong length',
    'secDNS.digest',
    { ...create, ext: { secDNS: { kind: 'ds', records: [{ ...ds, digest: 'AB' }] } } },
  ],
  [
    'a key tag over 65535',
    'secDNS.keyTag',
    { ...create, ext: { secDNS: { kind: 'ds', records: [{ ...ds, keyTag: 65536 }] } } },
  ],
  ['a price that is not a number', 'fee.amount', { ...create, ext: { fee: { fees: [{ amount: 'free' }] } } }],
  ['a negative price', 'fee.amount', { ...create, ext: { fee: { fees: [{ amount: '-1.00' }] } } }],
  ['a renew without its date', 'curExpDate', { ...renew, curExpDate: '' }],
  ['a renew of 31 February', 'curExpDate', { ...renew, curExpDate: '2026-02-31' }],
  [
    'a transfer request without a code',
    'authInfo',
    { object: 'domain', verb: 'transfer', op: 'request', name: 'a.com' },
  ],
  ['an empty update', 'update', updateDomain],
  ['a server status', 'add.statuses', { ...updateDomain, add: { statuses: [{ value: 'serverHold' }] } }],
  [
    'a restore report without a reason',
    'rgp.reason',
    {
      ...updateDomain,
      ext: {
        rgp: {
          op: 'report',
          report: {
            preData: 'a',
            postData: 'b',
            deletedAt: new Date(0),
            restoredAt: new Date(0),
            reason: '',
            statements: ['a', 'b'],
          },
        },
      },
    },
  ],
  ['no names', 'names', { object: 'domain', verb: 'check', names: [] }],
  [
    'eleven names',
    'names',
    { object: 'domain', verb: 'check', names: Array.from({ length: 11 }, (_, at) => `n${at}.com`) },
  ],
  ['a duplicate name', 'names', { object: 'domain', verb: 'check', names: ['a.com', 'A.com'] }],
  ['a contact without an address', 'postal', { ...contact, postal: [] }],
  [
    'a contact without a city',
    'postal.city',
    { ...contact, postal: [{ type: 'int', name: 'A', addr: { street: [], city: '', cc: 'ID' } }] },
  ],
  [
    'a non-ASCII int form',
    'postal',
    { ...contact, postal: [{ type: 'int', name: 'Ä', addr: { street: [], city: 'B', cc: 'ID' } }] },
  ],
  ['a duplicate int form', 'postal.type', { ...contact, postal: [contact.postal[0], contact.postal[0]] }],
  ['a phone without its dot', 'voice', { ...contact, voice: { number: '+62811' } }],
  ['an email address without a host', 'email', { ...contact, email: 'a@' }],
  ['an empty allocation token', 'allocationToken', { ...create, ext: { allocationToken: '' } }],
  ['an IDN table without a name', 'idn.table', { ...create, ext: { idn: { table: '' } } }],
  ['no organisation', 'organisations', { ...create, ext: { organisations: [] } }],
  [
    'a role without a name',
    'organisations.role',
    { ...updateDomain, ext: { organisations: { add: [{ id: 'a', role: '' }] } } },
  ],
  ['30 February', 'sync', { ...updateDomain, ext: { sync: { month: 2, day: 30 } } }],
  ['no field of keysys', 'keysys', { ...updateDomain, ext: { keysys: {} } }],
  ['a field of keysys that is no element', 'keysys', { ...contact, ext: { keysys: { 'a b': '1' } } }],
  ['a line end in keysys', 'keysys.renewalmode', { ...create, ext: { keysys: { renewalmode: 'A\nB' } } }],
  ['an unknown phase', 'launch.phase', { ...create, ext: { launch: { phase: { phase: 'dusk' } } } }],
  [
    'a signed mark that is not base64',
    'launch.encodedSignedMarks',
    { ...create, ext: { launch: { phase: { phase: 'sunrise' }, encodedSignedMarks: ['<smd/>'] } } },
  ],
  [
    'codes and signed marks together',
    'launch',
    {
      ...create,
      ext: {
        launch: { phase: { phase: 'sunrise' }, encodedSignedMarks: ['AAAA'], codeMarks: [{ code: { code: 'a' } }] },
      },
    },
  ],
  [
    'a claims notice that was accepted too late',
    'launch.notices',
    {
      ...create,
      ext: {
        launch: {
          phase: { phase: 'claims' },
          notices: [{ noticeId: '1', notAfter: new Date(1_000), acceptedAt: new Date(2_000) }],
        },
      },
    },
  ],
  ['an invalid nexus', 'us_purpose', { ...contact, ext: { tld: { us: { us_purpose: 'P9', us_category: 'C11' } } } }],
  ['an incomplete nexus', 'us_category', { ...contact, ext: { tld: { us: { us_purpose: 'P1' } } } }],
  [
    'an address of the wrong version',
    'addresses',
    { object: 'host', verb: 'create', name: 'ns.a.com', addresses: [{ address: '::1', version: 'v4' }] },
  ],
  [
    'an invalid address',
    'addresses',
    { object: 'host', verb: 'create', name: 'ns.a.com', addresses: [{ address: 'x', version: 'v4' }] },
  ],
  ['an ack without a message id', 'msgID', { object: 'poll', verb: 'ack', msgID: '' }],
];

describe('an invalid request', () => {
  test.each(BAD)('is refused with its field before a byte is sent: %s', (_name, field, request) => {
    let caught: unknown;
    try {
      checkRequest(request, profile);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(EppInputError);
    expect(caught).toMatchObject({ field });
  });
});

test('omits the refused secret from the error', () => {
  const request = { ...create, authInfo: { pw: 'hush\n-hush' } };
  expect(() => checkRequest(request, profile)).toThrow(/^authInfo: [^h]*$/);
});

test('accepts an empty auth code (RFC 9154) if the profile allows it', () => {
  checkRequest({ ...create, name: 'a.safe', authInfo: { pw: '' } }, profile);
});

test('accepts every sample under a profile that allows its kind', () => {
  for (const request of Object.values(REQUESTS)) {
    if (request.object === 'session') continue;
    const text = JSON.stringify(request);
    const rules = {
      ...TEST_PROFILE.rules,
      secureAuthInfo: true,
      dnssec: text.includes('"kind":"key"') ? ('key' as const) : ('ds' as const),
      hostModel: text.includes('"attributes"') ? ('attributes' as const) : ('objects' as const),
    };
    checkRequest(request, { ...TEST_PROFILE, rules });
  }
});
