import { systemIds } from '@namehold/base';
import { rulesFor } from '@namehold/epp';
import { expect, test } from 'vitest';
import { newSecret } from '../../src/registries/epp/secret.ts';
import { readProfile, readProfileFile, storedProfile } from '../../src/registries/read-profile.ts';
import { isUpstream, storedUpstreamProfile } from '../../src/registries/upstream/profile.ts';

const read = (profile: unknown) => readProfile(JSON.stringify(profile), 'x');

test('sets conservative defaults for omitted fields and applies given ones', () => {
  expect(read({})).toMatchObject({
    id: 'x',
    rules: { authInfoLength: 16 },
    limits: { sessions: 2 },
  });
  const profile = read({ rules: { hostModel: 'attributes' }, tlds: { 'co.odd': { maxNameServers: 4 } } });
  expect(rulesFor(profile, 'a.co.odd')).toMatchObject({ hostModel: 'attributes', maxNameServers: 4 });
  expect(rulesFor(profile, 'a.odd')).toMatchObject({ hostModel: 'attributes', maxNameServers: 13 });
});

test('sends no namespace that a given list omits', () => {
  const domain = 'urn:ietf:params:xml:ns:domain-1.0';
  expect(read({ namespaces: { domain } }).namespaces).toEqual({ epp: 'urn:ietf:params:xml:ns:epp-1.0', domain });
  expect(read({ namespaces: 'all' }).namespaces).toHaveProperty('usNexus');
});

test('adds new fields with defaults to a stored profile of an older release', () => {
  const { authInfoLength: _, ...rules } = read({}).rules;
  const { contacts: _1, ...older } = { ...read({}), rules };
  expect(storedProfile(older)).toMatchObject({ rules: { authInfoLength: 16 }, contacts: {} });
});

test('expands named extensions to their fixed form', () => {
  expect(read({ extensions: ['namestore'] }).extensions).toMatchObject([{ element: 'namestoreExt' }]);
  const stored = read({ extensions: ['namestore', { on: ['host'], uri: 'urn:x', element: 'x', text: '{name}' }] });
  expect(storedProfile(JSON.parse(JSON.stringify(stored))).extensions).toEqual(stored.extensions);
});

const wrong: [string, unknown, string][] = [
  ['no object', [], 'profile'],
  ['an unknown key', { sessions: 3 }, 'profile.sessions: Unknown field.'],
  ['an unknown rule', { rules: { colour: 'red' } }, 'profile.rules.colour: Unknown field.'],
  ['an unknown rule of a TLD', { tlds: { odd: { hostmodel: 'objects' } } }, 'profile.tlds.odd.hostmodel'],
  ['a TLD with a leading dot', { tlds: { '.odd': {} } }, 'profile.tlds'],
  ['an unknown host model', { rules: { hostModel: 'things' } }, 'profile.rules.hostModel'],
  ['no sessions', { limits: { sessions: 0 } }, 'profile.limits.sessions'],
  ['a string in place of a number', { timeouts: { queryMs: '10' } }, 'profile.timeouts.queryMs'],
  ['an unknown part', { namespaces: { fees: 'urn:x' } }, 'profile.namespaces.fees: Unknown field.'],
  ['an unknown extension', { extensions: ['nonsense'] }, 'profile.extensions.0'],
  [
    'an unknown command',
    { extensions: [{ on: ['domain:buy'], uri: 'urn:x', element: 'x' }] },
    'profile.extensions.0.on.0',
  ],
  ['an invalid namespace URI', { namespaces: { fee: 'a b' } }, 'profile.namespaces.fee'],
  [
    'a maximum auth code length below the minimum',
    { tlds: { odd: { authInfoMaxLength: 8, authInfoMinLength: 9 } } },
    'profile.tlds.odd.authInfoMinLength',
  ],
  [
    'a maximum period below the minimum',
    { rules: { minPeriodYears: 3, maxPeriodYears: 2 } },
    'profile.rules.minPeriodYears',
  ],
  [
    'a maximum number of nameservers below the minimum',
    { rules: { minNameServers: 3, maxNameServers: 2 } },
    'profile.rules.minNameServers',
  ],
  [
    'a maximum contact auth code length below the minimum',
    { contacts: { authInfoMinLength: 20, authInfoMaxLength: 10 } },
    'profile.contacts.authInfoMinLength',
  ],
];
test.each(wrong)('refuses a profile with %s and names the path', (_what, profile, path) => {
  expect(() => read(profile)).toThrow(path);
});

test('refuses invalid JSON', () => expect(() => readProfile('{', 'x')).toThrow('profile: This is not JSON'));

test('generates auth codes with the length and character classes of the registry', () => {
  const rules = { ...read({}).rules, authInfoMaxLength: 8, authInfoClasses: ['upper', 'digit', 'symbol'] as const };
  const made = Array.from({ length: 200 }, () => newSecret(rules, systemIds.text));
  for (const each of made) expect(each).toMatch(/^(?=.*[A-Z])(?=.*[2-9])(?=.*[-_.])[A-Z2-9._-]{8}$/);
  expect(new Set(made).size).toBe(200);
});

const platform = { kind: 'upstream', customerId: '2001', currency: 'USD' };

test('reads upstream profiles with the kind of older releases', () => {
  const older = { ...platform, kind: 'platform' };
  expect(readProfileFile(JSON.stringify(older), 'up')).toMatchObject({ kind: 'platform', dialect: 'namehold' });
  expect(isUpstream(older)).toBe(true);
  expect(storedUpstreamProfile(older)).toMatchObject({ kind: 'platform', customerId: '2001', basePath: '/v1' });
});

test('reads an upstream profile with its own schema', () => {
  expect(readProfileFile(JSON.stringify(platform), 'up')).toMatchObject({
    id: 'up',
    dialect: 'namehold',
    transport: 'https',
    basePath: '/v1',
    limits: { sessions: 4 },
  });
  expect(readProfileFile('{}', 'x')).not.toHaveProperty('kind');
});

test.each([
  ['a field of registry profiles', { ...platform, namespaces: {} }, 'profile.namespaces'],
  ['no customer', { kind: 'upstream', currency: 'USD' }, 'profile.customerId'],
  ['a path that ends with a slash', { ...platform, basePath: '/v1/' }, 'profile.basePath'],
  ['an unknown limit', { ...platform, limits: { pages: 1 } }, 'profile.limits.pages'],
  ['an auth code length below the minimum', { ...platform, authCode: { length: 5 } }, 'profile.authCode.length'],
])('refuses an upstream profile with %s and names the path', (_what, profile, path) => {
  expect(() => readProfileFile(JSON.stringify(profile), 'up')).toThrow(path);
});
