import type { TldExtensions } from '@namehold/epp';
import { describe, expect, test } from 'vitest';
import { checkContacts, checkNameServerNumber, readNameServers } from '../src/domain/data-model.ts';
import { checkContactExtensions } from '../src/domain/extras.ts';
import { checkAddresses } from '../src/host/address.ts';
import { priceOf } from '../src/money/price.ts';
import { authInfoMatches, checkAuthInfoStrength, hashAuthInfo } from '../src/registry/auth-info.ts';
import { addYears, earliest } from '../src/registry/calendar.ts';
import { nameFault, readDomainName, superordinateOf } from '../src/registry/names.ts';
import { readYears } from '../src/registry/period.ts';
import { Refusal } from '../src/registry/refusal.ts';
import { changeStatuses, refuseIfProhibited, refuseUnlessUpdatable } from '../src/registry/status.ts';
import { type SandboxTld, sandboxTldOf } from '../src/tlds/index.ts';

/** The rules without a registry: the code of the refusal, or the result. */
function codeOrResult<T>(rule: () => T): T | number {
  try {
    return rule();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
const tld = (name: string): SandboxTld => sandboxTldOf.get(name)!;
const status = (...values: string[]) => values.map((value) => ({ value }));

describe('statuses', () => {
  test('are set and removed by their registrar, each once, and by no other', () => {
    const change = (current: string[], add: string[], rem: string[] = []) =>
      codeOrResult(() => changeStatuses('domain', current, { add: status(...add), rem: status(...rem) }));
    expect(change(['serverHold'], ['clientHold'])).toEqual(['serverHold', 'clientHold']);
    expect(change(['clientHold', 'serverHold'], [], ['clientHold'])).toEqual(['serverHold']);
    expect(change(['clientHold'], ['clientHold'], ['clientHold'])).toEqual(['clientHold']);
    expect(change(['clientHold'], ['clientHold'])).toBe(2306);
    expect(change([], ['clientHold', 'clientHold'])).toBe(2306);
    expect(change([], [], ['clientHold'])).toBe(2306);
    expect(change([], ['serverHold'])).toBe(2306);
    expect(change(['serverHold'], [], ['serverHold'])).toBe(2306);
    expect(codeOrResult(() => changeStatuses('host', [], { add: status('clientHold') }))).toBe(2306);
    expect(codeOrResult(() => changeStatuses('contact', [], { add: status('clientRenewProhibited') }))).toBe(2306);
  });

  test('block only what a prohibition of either side names', () => {
    expect(codeOrResult(() => refuseIfProhibited(['clientDeleteProhibited'], 'Delete'))).toBe(2304);
    expect(codeOrResult(() => refuseIfProhibited(['serverDeleteProhibited'], 'Delete'))).toBe(2304);
    expect(codeOrResult(() => refuseIfProhibited(['clientDeleteProhibited', 'serverHold'], 'Renew'))).toBeUndefined();
  });

  test('allow only the removal of clientUpdateProhibited while it is set', () => {
    const update = (statuses: string[], rem: string[], changesMore = false) =>
      codeOrResult(() => refuseUnlessUpdatable(statuses, { rem: status(...rem), changesMore }));
    const locked = ['clientUpdateProhibited', 'clientHold'];
    expect(update(locked, ['clientUpdateProhibited', 'clientHold'])).toBeUndefined();
    expect(update(locked, ['clientHold'])).toBe(2304);
    expect(update(locked, ['clientUpdateProhibited'], true)).toBe(2304);
    expect(update(['serverUpdateProhibited'], ['clientUpdateProhibited'])).toBe(2304);
    expect(update(['clientHold'], [], true)).toBeUndefined();
  });
});

describe('periods and dates', () => {
  test.each([
    [undefined, 1],
    [{ value: 10, unit: 'y' }, 10],
    [{ value: 11, unit: 'y' }, 2004],
    [{ value: 0, unit: 'y' }, 2004],
    [{ value: 24, unit: 'm' }, 2],
    [{ value: 18, unit: 'm' }, 2004],
  ] as const)('%j is %i years', (period, years) =>
    expect(codeOrResult(() => readYears(tld('org'), period))).toBe(years),
  );

  test('turn 29 February into the 28th, and keep other days', () => {
    const day = (text: string, years: number) => addYears(new Date(`${text}T10:00:00Z`), years).toISOString();
    expect(day('2028-02-29', 1)).toBe('2029-02-28T10:00:00.000Z');
    expect(day('2028-02-29', 4)).toBe('2032-02-29T10:00:00.000Z');
    expect(day('2027-12-31', -1)).toBe('2026-12-31T10:00:00.000Z');
  });

  test('return the earliest of the existing dates', () => {
    const [one, two] = [new Date(1), new Date(2)];
    expect(earliest(null, two, undefined, one)).toBe(one);
    expect(earliest(null, undefined)).toBeUndefined();
  });

  test('have one restore price for any number of years', () => {
    expect(priceOf(tld('org'), 'any', 'renew', 3)).toBe(3n * tld('org').fees.renew);
    expect(priceOf(tld('org'), 'any', 'restore', 3)).toBe(tld('org').fees.restore);
    expect(priceOf(tld('shop'), 'gold', 'create', 2)).toBe(500_000n);
  });
});

describe('names', () => {
  test.each([
    ['Example.ORG', 'example.org'],
    ['a.b.org', 2306],
    ['example.nowhere', 2306],
    ['co.id', 2306],
    ['ab.us', 2306],
    ['abc.us', 'abc.us'],
    ['xn--bcher-kva.us', 2306],
    ['example.org.', 2005],
    ['bücher.org', 2005],
    ['-a.org', 2005],
  ])('%s are read as %s', (text, expected) => {
    const outcome = codeOrResult(() => readDomainName(sandboxTldOf, text));
    expect(typeof outcome === 'number' ? outcome : outcome.name).toBe(expected);
  });

  test('assign a host to the domain directly below its zone, or to none', () => {
    expect(superordinateOf(sandboxTldOf, 'a.b.example.org')).toBe('example.org');
    expect(superordinateOf(sandboxTldOf, 'ns.example.co.id')).toBe('example.co.id');
    // Host attributes: no host object exists that could belong to it.
    expect(superordinateOf(sandboxTldOf, 'ns.example.fr')).toBeUndefined();
    expect(superordinateOf(sandboxTldOf, 'ns.example.museum')).toBeUndefined();
  });

  test('are reported as reserved if they are', () => {
    const [reserved] = tld('shop').reserved;
    expect(nameFault(sandboxTldOf, `${reserved}.shop`)).toBe('Reserved');
    expect(nameFault(sandboxTldOf, 'plain.shop')).toBeUndefined();
    expect(nameFault(sandboxTldOf, 'example.nowhere')).toContain('in no zone');
  });
});

describe('objects of a domain', () => {
  const contactsOf = (...types: ('admin' | 'tech' | 'billing')[]) => types.map((type) => ({ type, id: 'c1' }));

  test('include required contacts, and no unsupported ones', () => {
    const all = contactsOf('admin', 'tech', 'billing');
    expect(codeOrResult(() => checkContacts(tld('org'), 'c1', all))).toBeUndefined();
    expect(codeOrResult(() => checkContacts(tld('org'), null, all))).toBe(2003);
    expect(codeOrResult(() => checkContacts(tld('org'), 'c1', contactsOf('billing')))).toBe(2003);
    expect(codeOrResult(() => checkContacts(tld('org'), 'c1', [...all, ...contactsOf('tech')]))).toBe(2306);
    expect(codeOrResult(() => checkContacts(tld('app'), null, []))).toBeUndefined();
    expect(codeOrResult(() => checkContacts(tld('app'), 'c1', []))).toBe(2306);
    expect(codeOrResult(() => checkContacts(tld('cc'), null, contactsOf('tech')))).toBe(2306);
  });

  test('include nameservers of valid number and form, without duplicates, with required glue', () => {
    const { minNameServers, maxNameServers } = tld('org').rules;
    for (const [count, code] of [
      [maxNameServers, undefined],
      [maxNameServers + 1, 2306],
      [minNameServers, undefined],
    ] as const)
      expect(codeOrResult(() => checkNameServerNumber(tld('org'), count))).toBe(code);
    const attributes = [...sandboxTldOf.values()].find((each) => each.rules.hostModel === 'attributes')!;
    const host = (name: string, ...texts: string[]) => ({
      name,
      addresses: texts.map((address) => ({ address, version: 'v4' as const })),
    });
    const read = (...hosts: ReturnType<typeof host>[]) =>
      codeOrResult(() => readNameServers(attributes, 'me.example', { model: 'attributes', hosts }));
    expect(read(host('NS.me.example', '192.0.2.1'))).toMatchObject({ hosts: [{ name: 'ns.me.example' }] });
    expect(read(host('ns.me.example'))).toBe(2003);
    expect(read(host('ns.other.example', '192.0.2.1'))).toBe(2306);
    expect(read(host('ns.notme.example'))).toMatchObject({ hosts: [{ name: 'ns.notme.example' }] });
    expect(read(host('ns.other.example'), host('NS.other.example'))).toBe(2306);
    expect(codeOrResult(() => readNameServers(tld('org'), 'me.org', { model: 'attributes', hosts: [] }))).toBe(2306);
    expect(codeOrResult(() => readNameServers(attributes, 'me.example', undefined))).toEqual({
      model: 'attributes',
      hosts: [],
    });
  });

  test('include addresses of the stated version, without duplicates in any spelling', () => {
    const read = (...texts: [string, 'v4' | 'v6'][]) =>
      codeOrResult(() => checkAddresses(texts.map(([address, version]) => ({ address, version }))));
    expect(read(['2001:DB8:0::1', 'v6'])).toEqual([{ address: '2001:db8::1', version: 'v6' }]);
    expect(read(['2001:db8::1', 'v6'], ['2001:db8:0::1', 'v6'])).toBe(2306);
    expect(read(['192.0.2.1', 'v6'])).toBe(2005);
    expect(read(['2001:db8::1', 'v4'])).toBe(2005);
    expect(read(['fe80::1%eth0', 'v6'])).toBe(2005);
  });

  test('include a valid nexus and charter', () => {
    const code = (sent: TldExtensions) => {
      const outcome = codeOrResult(() => checkContactExtensions(sent));
      return typeof outcome === 'number' ? outcome : 'good';
    };
    const us = (us_purpose: string, us_category: string) => code({ us: { us_purpose, us_category } });
    expect([us('P1', 'C11'), us('P5', 'C31/DE'), us('P3', 'C32')]).toEqual(['good', 'good', 'good']);
    expect([us('P6', 'C11'), us('P1', 'C13'), us('P1', 'C11/DE')]).toEqual([2306, 2306, 2306]);
    const declared = {
      asia_country: 'ID',
      asia_entity_type: 'corporation',
      asia_identification_type: 'certificate',
      asia_identification_number: '1',
    };
    const asia = (change: Record<string, string>) => code({ asia: { ...declared, ...change } });
    expect(asia({})).toBe('good');
    expect(asia({ asia_country: 'DE' })).toBe(2306);
    expect(asia({ asia_entity_type: 'club' })).toBe(2306);
    expect(asia({ asia_entity_type: 'other' })).toBe(2003);
    expect(asia({ asia_entity_type: 'other', asia_other_entity_type: 'club' })).toBe('good');
    expect(asia({ asia_identification_type: 'club' })).toBe(2306);
    expect(asia({ asia_identification_type: 'other' })).toBe(2003);
    expect(asia({ asia_identification_number: ' ' })).toBe(2003);
    expect(asia({ asia_contact_id: 'handle-1' })).toBe(2306);
  });

  test('accept only the stored authInfo, and refuse values that can be guessed', () => {
    const sealed = hashAuthInfo('Abcdefg1-x')!;
    expect(sealed).not.toContain('Abcdefg1-x');
    expect(hashAuthInfo('Abcdefg1-x')).not.toBe(sealed);
    expect(authInfoMatches(sealed, 'Abcdefg1-x')).toBe(true);
    expect(authInfoMatches(sealed, 'abcdefg1-x')).toBe(false);
    expect(hashAuthInfo('')).toBeNull();
    expect(authInfoMatches(null, '')).toBe(false);
    const rules = { authInfoMinLength: 8, authInfoMaxLength: 12 };
    const set = (pw: string) => codeOrResult(() => checkAuthInfoStrength(rules, pw));
    expect([set(''), set('abcdefgh'), set('abcdefghijkl')]).toEqual([undefined, undefined, undefined]);
    expect([set('abcdefg'), set('abcdefghijklm')]).toEqual([2306, 2306]);
    const mixed = (pw: string) => codeOrResult(() => checkAuthInfoStrength(rules, pw, ['letter', 'digit', 'sign']));
    expect([mixed('abcdefg1-'), mixed('abcdefgh1'), mixed('abcdefgh-')]).toEqual([undefined, 2306, 2306]);
    expect([set('abcdefg h'), set('abcdefgü'), set('aabbccddeeff')]).toEqual([2306, 2306, 2306]);
  });
});
