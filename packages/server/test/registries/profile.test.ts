import { systemIds } from '@namehold/base';
import { rulesFor } from '@namehold/epp';
import { expect, test } from 'vitest';
import { newSecret } from '../../src/registries/epp/secret.ts';
import { readProfile, readProfileFile, storedProfile } from '../../src/registries/read-profile.ts';

const read = (profile: unknown) => readProfile(JSON.stringify(profile), 'x');

test('omitted fields have cautious defaults; given ones apply', () => {
  expect(read({})).toMatchObject({
    id: 'x',
    rules: { authInfoLength: 16 },
    limits: { sessions: 2 },
  });
  const profile = read({ rules: { hostModel: 'attributes' }, tlds: { 'co.odd': { maxNameServers: 4 } } });
  expect(rulesFor(profile, 'a.co.odd')).toMatchObject({ hostModel: 'attributes', maxNameServers: 4 });
  expect(rulesFor(profile, 'a.odd')).toMatchObject({ hostModel: 'attributes', maxNameServers: 13 });
});

test('a list of namespaces is complete: others are never sent', () => {
  const domain = 'urn:ietf:params:xml:ns:domain-1.0';
  expect(read({ namespaces: { domain } }).namespaces).toEqual({ epp: 'urn:ietf:params:xml:ns:epp-1.0', domain });
  expect(read({ namespaces: 'all' }).namespaces).toHaveProperty('usNexus');
});

test('a stored profile of an older release gets new fields', () => {
  const { authInfoLength: _, ...rules } = read({}).rules;
  const { contacts: _1, ...older } = { ...read({}), rules };
  expect(storedProfile(older)).toMatchObject({ rules: { authInfoLength: 16 }, contacts: {} });
});

test('extensions with one fixed form', () => {
  expect(read({ extensions: ['namestore'] }).extensions).toMatchObject([{ element: 'namestoreExt' }]);
  const stored = read({ extensions: ['namestore', { on: ['host'], uri: 'urn:x', element: 'x', text: '{name}' }] });
  expect(storedProfile(JSON.parse(JSON.stringify(stored))).extensions).toEqual(stored.extensions);
});

const wrong: [string, unknown, string][] = [
  ['no object', [], 'profile'],
  ['a key that is none', { sessions: 3 }, 'profile.sessions: Unknown field.'],
  ['a rule that is none', { rules: { colour: 'red' } }, 'profile.rules.colour: Unknown field.'],
  ['a rule of a TLD that is none', { tlds: { odd: { hostmodel: 'objects' } } }, 'profile.tlds.odd.hostmodel'],
  ['a TLD with a dot before it', { tlds: { '.odd': {} } }, 'profile.tlds'],
  ['a model that is none', { rules: { hostModel: 'things' } }, 'profile.rules.hostModel'],
  ['no session at all', { limits: { sessions: 0 } }, 'profile.limits.sessions'],
  ['a text for a number', { timeouts: { queryMs: '10' } }, 'profile.timeouts.queryMs'],
  ['a part that is none', { namespaces: { fees: 'urn:x' } }, 'profile.namespaces.fees: Unknown field.'],
  ['an extension that is none', { extensions: ['nonsense'] }, 'profile.extensions.0'],
  [
    'a command that is none',
    { extensions: [{ on: ['domain:buy'], uri: 'urn:x', element: 'x' }] },
    'profile.extensions.0.on.0',
  ],
  ['no URI', { namespaces: { fee: 'a b' } }, 'profile.namespaces.fee'],
  [
    'fewer at most than at least',
    { tlds: { odd: { authInfoMaxLength: 8, authInfoMinLength: 9 } } },
    'profile.tlds.odd.authInfoMinLength',
  ],
  ['fewer years at most', { rules: { minPeriodYears: 3, maxPeriodYears: 2 } }, 'profile.rules.minPeriodYears'],
  ['fewer hosts at most', { rules: { minNameServers: 3, maxNameServers: 2 } }, 'profile.rules.minNameServers'],
  [
    'lengths of contacts',
    { contacts: { authInfoMinLength: 20, authInfoMaxLength: 10 } },
    'profile.contacts.authInfoMinLength',
  ],
];
test.each(wrong)('refused with its path: %s', (_what, profile, path) => {
  expect(() => read(profile)).toThrow(path);
});

test('refuses invalid JSON', () => expect(() => readProfile('{', 'x')).toThrow('profile: This is not JSON'));

test('auth codes have the length and character classes of the registry', () => {
  const rules = { ...read({}).rules, authInfoMaxLength: 8, authInfoClasses: ['upper', 'digit', 'symbol'] as const };
  const made = Array.from({ length: 200 }, () => newSecret(rules, systemIds.text));
  for (const each of made) expect(each).toMatch(/^(?=.*[A-Z])(?=.*[2-9])(?=.*[-_.])[A-Z2-9._-]{8}$/);
  expect(new Set(made).size).toBe(200);
});

const platform = { kind: 'platform', customerId: '2001', currency: 'USD' };

test('an upstream profile has its own schema', () => {
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
  ['a word that is none of its', { ...platform, namespaces: {} }, 'profile.namespaces'],
  ['no customer', { kind: 'platform', currency: 'USD' }, 'profile.customerId'],
  ['a path that ends with a slash', { ...platform, basePath: '/v1/' }, 'profile.basePath'],
  ['a limit that none knows', { ...platform, limits: { pages: 1 } }, 'profile.limits.pages'],
  ['codes shorter than they may be', { ...platform, authCode: { length: 5 } }, 'profile.authCode.length'],
])('an upstream profile, refused with its path: %s', (_what, profile, path) => {
  expect(() => readProfileFile(JSON.stringify(profile), 'up')).toThrow(path);
});
