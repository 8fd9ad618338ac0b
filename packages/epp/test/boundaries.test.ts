import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  checkRequest,
  EppInputError,
  loadSchemas,
  type ObjectRequest,
  type RegistryProfile,
  type Schemas,
  writeCommand,
} from '../src/index.ts';
import { TEST_PROFILE } from './support/registry.ts';

const SEED = 20261115;
const auth = { pw: 'abcdef12' };
const profile: RegistryProfile = TEST_PROFILE;

let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

/** The result of the RFC schemas for a request that we would send. */
const schemaSays = (request: ObjectRequest) => schemas.validator(writeCommand(request, 'ABC-1', ALL_NAMESPACES));

function isAccepted(request: ObjectRequest): boolean {
  try {
    checkRequest(request, profile);
    return true;
  } catch (error) {
    if (!(error instanceof EppInputError)) throw error;
    return false;
  }
}

const address = { street: ['Jalan 1'], city: 'B', cc: 'ID' };
const contact = (more: object = {}, addr: object = {}, postal: object = {}): ObjectRequest =>
  ({
    object: 'contact',
    verb: 'create',
    id: 'sh8013',
    postal: [{ type: 'loc', name: 'A', addr: { ...address, ...addr }, ...postal }],
    email: 'a@b.co',
    authInfo: auth,
    ...more,
  }) as ObjectRequest;
const domain = (more: object): ObjectRequest =>
  ({ object: 'domain', verb: 'create', name: 'a.com', authInfo: auth, ...more }) as ObjectRequest;
const host = (addresses: object[]): ObjectRequest =>
  ({ object: 'host', verb: 'create', name: 'ns.a.com', addresses }) as ObjectRequest;
const ds = (more: object): ObjectRequest =>
  domain({
    ext: { secDNS: { kind: 'ds', records: [{ keyTag: 1, alg: 13, digestType: 2, digest: 'AB'.repeat(32), ...more }] } },
  });
const letters = (count: number) => 'x'.repeat(count);

/** The last valid value and the first invalid one. */
const EDGES: [string, ObjectRequest, ObjectRequest][] = [
  ['a label', domain({ name: `${letters(63)}.com` }), domain({ name: `${letters(64)}.com` })],
  [
    'a domain name',
    domain({ name: `${'abcdefghi.'.repeat(25)}com` }),
    domain({ name: `${'abcdefghi.'.repeat(25)}coma` }),
  ],
  ['a hyphen at the start', domain({ name: 'a-b.com' }), domain({ name: '-ab.com' })],
  ['a hyphen at the end', domain({ name: 'a--b.com' }), domain({ name: 'ab-.com' })],
  ['labels', domain({ name: 'a.com' }), domain({ name: 'a..com' })],
  ['a trailing dot', domain({ name: 'a.b.com' }), domain({ name: 'a.com.' })],
  ['years', domain({ period: { value: 10, unit: 'y' } }), domain({ period: { value: 11, unit: 'y' } })],
  ['months', domain({ period: { value: 12, unit: 'm' } }), domain({ period: { value: 11, unit: 'm' } })],
  ['the minimum length of a registrant id', domain({ registrant: 'abc' }), domain({ registrant: 'ab' })],
  ['the maximum length of a registrant id', domain({ registrant: letters(16) }), domain({ registrant: letters(17) })],
  ['a registrant id with spaces', domain({ registrant: 'a b' }), domain({ registrant: 'a  b' })],
  [
    'nameservers',
    domain({ ns: { model: 'objects', hosts: Array.from({ length: 13 }, (_, n) => `ns${n}.a.com`) } }),
    domain({ ns: { model: 'objects', hosts: Array.from({ length: 14 }, (_, n) => `ns${n}.a.com`) } }),
  ],
  ['the maximum key tag', ds({ keyTag: 65_535 }), ds({ keyTag: 65_536 })],
  ['the minimum key tag', ds({ keyTag: 0 }), ds({ keyTag: -1 })],
  ['a DNSSEC algorithm', ds({ alg: 255 }), ds({ alg: 256 })],
  ['a SHA-384 digest', ds({ digestType: 4, digest: 'AB'.repeat(48) }), ds({ digestType: 4, digest: 'AB'.repeat(47) })],
  ['a SHA-1 digest', ds({ digestType: 1, digest: 'ab'.repeat(20) }), ds({ digestType: 1, digest: 'ab'.repeat(32) })],
  ['a digest of an unassigned type', ds({ digestType: 9, digest: 'AB' }), ds({ digestType: 9, digest: 'ABC' })],
  [
    'a fee amount',
    domain({ ext: { fee: { fees: [{ amount: '0.000001' }] } } }),
    domain({ ext: { fee: { fees: [{ amount: '.5' }] } } }),
  ],
  [
    'a currency',
    domain({ ext: { fee: { currency: 'USD', fees: [{ amount: '1' }] } } }),
    domain({ ext: { fee: { currency: 'usd', fees: [{ amount: '1' }] } } }),
  ],
  [
    'the minimum number of fees',
    domain({ ext: { fee: { fees: [{ amount: '1' }] } } }),
    domain({ ext: { fee: { fees: [] } } }),
  ],
  // RFC 5733: +CC.number, 17 characters at most.
  [
    'a phone number',
    contact({ voice: { number: '+123.123456789012' } }),
    contact({ voice: { number: '+123.1234567890123' } }),
  ],
  [
    'a phone number with a short country code',
    contact({ voice: { number: '+1.12345678901234' } }),
    contact({ voice: { number: '+1.123456789012345' } }),
  ],
  [
    'the country code of a phone number',
    contact({ fax: { number: '+123.1' } }),
    contact({ fax: { number: '+1234.1' } }),
  ],
  ['the minimum length of a phone number', contact({ fax: { number: '+1.1' } }), contact({ fax: { number: '+1.' } })],
  ['a postal code', contact({}, { pc: letters(16) }), contact({}, { pc: letters(17) })],
  ['a postal code with spaces', contact({}, { pc: 'SW1A 1AA' }), contact({}, { pc: 'SW1A  1AA' })],
  ['a city', contact({}, { city: letters(255) }), contact({}, { city: letters(256) })],
  ['a state', contact({}, { sp: letters(255) }), contact({}, { sp: letters(256) })],
  [
    'the number of street lines',
    contact({}, { street: ['1', '2', '3'] }),
    contact({}, { street: ['1', '2', '3', '4'] }),
  ],
  ['the length of a street line', contact({}, { street: [letters(255)] }), contact({}, { street: [letters(256)] })],
  ['a country code', contact({}, { cc: 'ID' }), contact({}, { cc: 'id' })],
  ['a contact name', contact({}, {}, { name: letters(255) }), contact({}, {}, { name: letters(256) })],
  ['an organisation', contact({}, {}, { org: letters(255) }), contact({}, {}, { org: letters(256) })],
  ['an organisation with a line break', contact({}, {}, { org: 'A B' }), contact({}, {}, { org: 'A\nB' })],
  [
    'non-ASCII letters in the local form only',
    contact({}, {}, { name: 'Ä' }),
    contact({}, {}, { type: 'int', name: 'Ä' }),
  ],
  ['a contact id', contact({ id: 'abc' }), contact({ id: 'ab' })],
  ['a contact id with spaces', contact({ id: 'a b' }), contact({ id: ' ab' })],
  ['an email address', contact({ email: 'a@b.c' }), contact({ email: 'a@b' })],
  [
    'a nexus',
    contact({ ext: { tld: { us: { us_purpose: 'P5', us_category: 'C31/ID' } } } }),
    contact({ ext: { tld: { us: { us_purpose: 'P5', us_category: 'C11/ID' } } } }),
  ],
  [
    'a host address',
    host([{ address: '192.0.2.1', version: 'v4' }]),
    host([{ address: '192.0.2.256', version: 'v4' }]),
  ],
  [
    'an IPv6 host address',
    host([{ address: '2001:db8::1', version: 'v6' }]),
    host([{ address: 'fe80::1%eth0', version: 'v6' }]),
  ],
  [
    'client statuses without duplicates',
    { object: 'domain', verb: 'update', name: 'a.com', add: { statuses: [{ value: 'clientHold' }] } },
    {
      object: 'domain',
      verb: 'update',
      name: 'a.com',
      add: { statuses: [{ value: 'clientHold' }, { value: 'clientHold' }] },
    },
  ],
  [
    'host statuses',
    { object: 'host', verb: 'update', name: 'ns.a.com', add: { statuses: [{ value: 'clientUpdateProhibited' }] } },
    { object: 'host', verb: 'update', name: 'ns.a.com', add: { statuses: [{ value: 'clientHold' }] } },
  ],
  [
    'a host update',
    { object: 'host', verb: 'update', name: 'ns.a.com', newName: 'ns2.a.com' },
    { object: 'host', verb: 'update', name: 'ns.a.com' },
  ],
  [
    '29 February',
    { object: 'domain', verb: 'renew', name: 'a.com', curExpDate: '2028-02-29' },
    { object: 'domain', verb: 'renew', name: 'a.com', curExpDate: '2027-02-29' },
  ],
];

describe('the limits of values', () => {
  test.each(EDGES)('accept the last valid value and refuse the first invalid one: %s', (_what, right, wrong) => {
    expect(isAccepted(right)).toBe(true);
    expect(schemaSays(right)).toEqual([]);
    expect(isAccepted(wrong)).toBe(false);
  });
});

describe('requests that pass our validation', () => {
  const near = (most: number) =>
    fc.string({ unit: fc.constantFrom('a', ' ', '0', 'Z', '-', '.', '\t'), maxLength: most + 3 });
  const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${most}}$`));

  test('writes contact requests that pass the RFC schemas', () => {
    let accepted = 0;
    const one = fc.record({
      id: fc.oneof(fc.constant('abc123'), near(16)),
      name: fc.oneof(fc.constant('A'), near(255)),
      pc: near(16),
      city: fc.oneof(fc.constant('B'), near(20)),
      voice: fc.tuple(digits(4), digits(16)).map(([cc, number]) => ({ number: `+${cc}.${number}` })),
      pw: fc.oneof(fc.constant('abcdef12'), near(20)),
    });
    fc.assert(
      fc.property(one, ({ id, name, pc, city, voice, pw }) => {
        const request = contact({ id, voice, authInfo: { pw } }, { pc, city }, { name });
        if (!isAccepted(request)) return;
        accepted += 1;
        expect(schemaSays(request)).toEqual([]);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  test('writes domain requests that pass the RFC schemas', () => {
    let accepted = 0;
    const one = fc.record({
      name: fc.oneof(fc.constant('a.com'), near(20)),
      registrant: fc.oneof(fc.constant('abc123'), near(16)),
      period: fc.record({ value: fc.integer({ min: -1, max: 101 }), unit: fc.constantFrom('y', 'm') }),
      amount: fc.oneof(fc.constant('10.00'), fc.stringMatching(/^-?[0-9]{0,17}\.?[0-9]{0,8}$/)),
      keyTag: fc.integer({ min: -1, max: 65_536 }),
      digest: fc.oneof(fc.constant('AB'.repeat(32)), fc.stringMatching(/^[0-9A-Fa-f]{60,68}$/)),
    });
    fc.assert(
      fc.property(one, ({ name, registrant, period, amount, keyTag, digest }) => {
        const records = [{ keyTag, alg: 13, digestType: 2, digest }];
        const ext = { fee: { fees: [{ amount }] }, secDNS: { kind: 'ds', records } };
        const request = domain({ name, registrant, period, ext });
        if (!isAccepted(request)) return;
        accepted += 1;
        expect(schemaSays(request)).toEqual([]);
      }),
      { seed: SEED, numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});
