import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayName, isBelow, NameError, normaliseHostname, normaliseName, splitName } from '../src/names.ts';
import { nameCases } from './names/table.ts';

const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);

describe('hostile names', () => {
  test('the table has the expected number of rows', () => {
    expect(new Set(nameCases.map((each) => each.input)).size).toBeGreaterThanOrEqual(250);
  });

  test.each(nameCases.map((each) => ({ ...each, label: shown(each.input) })))('$label ($rule)', ({ input, stored }) => {
    if (stored === undefined) expect(() => normaliseName(input)).toThrow(NameError);
    else expect(normaliseName(input)).toBe(stored);
  });

  test('every stored form normalises to itself, and so does its display form', () => {
    for (const { stored } of nameCases) {
      if (stored === undefined) continue;
      expect(normaliseName(stored)).toBe(stored);
      expect(normaliseName(displayName(stored))).toBe(stored);
      expect(normaliseName(stored.toUpperCase())).toBe(stored);
      expect(normaliseName(`${stored}.`)).toBe(stored);
    }
  });
});

describe('a host name', () => {
  test('has at least two labels and is stored like a domain name', () => {
    expect(normaliseHostname(' NS1.Example.NET. ')).toBe('ns1.example.net');
    expect(normaliseHostname('1.2.example')).toBe('1.2.example');
    expect(() => normaliseHostname('ns1')).toThrow(NameError);
  });

  test.each(['192.0.2.1', '192.0.2.1.', '2001:db8::1', '[2001:db8::1]', '10.1', '１９２.0.2.1'])(
    'is not an IP address: %s',
    (address) => expect(() => normaliseHostname(address)).toThrow(NameError),
  );
});

describe('parseName properties', () => {
  const runs = { seed: 5891, numRuns: 2_000 };
  const pieces = fc.constantFrom(
    ...'abzAZ019-._'.split(''),
    ...[
      'ü',
      'U\u0308',
      'ß',
      'İ',
      'א',
      'ا',
      '٣',
      '۳',
      '日',
      '。',
      '．',
      'Ａ',
      'ｱ',
      '\u200c',
      '\u200d',
      '\u00ad',
      '·',
      'l',
    ],
    ...['क्', '💩', 'xn--', 'XN--', '--', '\u0301', 'ﬁ', 'а', 'bcher-kva', '\ud800', ' ', '\u0000'],
  );
  const text = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
  const stored = (input: string): string | undefined => {
    try {
      return normaliseName(input);
    } catch (error) {
      if (!(error instanceof NameError)) throw error;
      return undefined;
    }
  };

  test('any input gives a NameError or a name in its stored form', () =>
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 30 })), (input) => {
        const name = stored(input);
        if (name === undefined) return;
        expect(name).toMatch(/^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/);
        expect(name.length).toBeLessThanOrEqual(253);
        expect(stored(name)).toBe(name);
        expect(stored(displayName(name))).toBe(name);
      }),
      runs,
    ));

  test('case, width, composition and kinds of dots do not matter', () =>
    fc.assert(
      fc.property(text, (input) => {
        const name = stored(input);
        if (name === undefined) return;
        expect(stored(input.toLowerCase())).toBe(name);
        expect(stored(input.normalize('NFD'))).toBe(name);
        expect(stored(input.replaceAll('.', '。'))).toBe(name);
      }),
      runs,
    ));

  test('a plain name is unchanged', () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9]{0,20}[a-z0-9])?$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 6 }), (labels) => {
        const name = labels.join('.');
        expect(normaliseName(name)).toBe(name);
      }),
      runs,
    );
  });
});

describe('parts of names', () => {
  const served = new Set(['com', 'id', 'co.id', 'xn--p1ai']);

  test.each([
    ['example.com', { label: 'example', tld: 'com' }],
    ['a.co.id', { label: 'a', tld: 'co.id' }],
    ['a.b.co.id', { label: 'a.b', tld: 'co.id' }],
    ['co.id', { label: 'co', tld: 'id' }],
    ['a.web.id', { label: 'a.web', tld: 'id' }],
    ['com', undefined],
    ['example.net', undefined],
    ['example.xcom', undefined],
  ])('%s under served suffixes', (name, parts) => expect(splitName(name, served)).toEqual(parts));

  test('a refusal names a character that is not allowed, and cites no rule of a library', () => {
    expect(() => normaliseName('a☕b.com')).toThrow('The character ☕ is not allowed in a domain name (IDNA2008).');
    expect(() => normaliseName('xn--.com')).toThrow('This is not a valid internationalized domain name (IDNA2008).');
  });

  test('`isBelow` excludes siblings and the name itself', () => {
    expect(isBelow('ns1.example.com', 'example.com')).toBe(true);
    expect(isBelow('example.com', 'example.com')).toBe(false);
    expect(isBelow('ns1.notexample.com', 'example.com')).toBe(false);
    expect(isBelow('example.com', 'ns1.example.com')).toBe(false);
  });
});
