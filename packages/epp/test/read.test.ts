import { describe, expect, test } from 'vitest';
import { EppReadError, element } from '../src/index.ts';
import {
  attribute,
  boolean,
  child,
  children,
  compact,
  dateTime,
  elements,
  integer,
  need,
  neededAttribute,
  neededDate,
  neededInteger,
  neededToken,
  normalized,
  optionalDate,
  optionalToken,
  rawText,
  token,
} from '../src/xml/read.ts';

const NS = 'urn:1';
const text = (value: string) => element(NS, 'a', undefined, value);
const refused = (run: () => unknown) => {
  let caught: unknown;
  try {
    run();
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(EppReadError);
  return caught as EppReadError;
};

describe('whole numbers', () => {
  test.each([
    ['0', 0],
    ['-1', -1],
    ['+7', 7],
    [' 42\n', 42],
    ['007', 7],
    ['999999999999999', 999_999_999_999_999],
  ])('are read: %j', (given, expected) => expect(integer(given, 'x')).toBe(expected));

  test.each(['', ' ', '1.0', '1e3', '0x10', '1 2', '--1', '1000000000000000', 'NaN', '١'])(
    'are refused: %j',
    (given) => {
      expect(refused(() => integer(given, 'period'))).toMatchObject({ kind: 'shape', at: 'period' });
    },
  );
});

describe('booleans of XML Schema', () => {
  test('are read in four spellings', () => {
    expect(['1', 'true', ' true '].map((each) => boolean(each, 'x'))).toEqual([true, true, true]);
    expect(['0', 'false', '\n0'].map((each) => boolean(each, 'x'))).toEqual([false, false, false]);
  });
  test.each([undefined, '', 'TRUE', 'yes', '2', 'on'])('are refused: %j', (given) => {
    expect(refused(() => boolean(given, 'avail'))).toMatchObject({ kind: 'shape', at: 'avail' });
  });
});

describe('times', () => {
  test.each([
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.5Z', '2027-01-31T12:00:00.500Z'],
    // More digits than a Date holds.
    ['2027-01-31T12:00:00.1234567Z', '2027-01-31T12:00:00.123Z'],
    ['2027-01-31T12:00:00.999999Z', '2027-01-31T12:00:00.999Z'],
    // RFC 5730 2.4: UTC, also without a zone.
    ['2027-01-31T12:00:00', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.25', '2027-01-31T12:00:00.250Z'],
    ['2027-01-31T12:00:00+07:00', '2027-01-31T05:00:00.000Z'],
    ['2027-01-31T23:30:00-01:00', '2027-02-01T00:30:00.000Z'],
    [' 2027-01-31T12:00:00Z\n', '2027-01-31T12:00:00.000Z'],
    // Forms that some registries write.
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31Z', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31 12:00:00', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31 12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31 12:00:00.0', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31 12:00:00 UTC', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31 12:00:00.5 +0700', '2027-01-31T05:00:00.500Z'],
    ['2027-01-31t12:00:00z', '2027-01-31T12:00:00.000Z'],
  ])('are read: %s', (given, expected) => expect(dateTime(given, 'x').toISOString()).toBe(expected));

  test.each([
    '',
    '2027-1-31',
    '31.01.2027',
    '2027-01-31T12:00Z',
    '2027-13-45 25:00:00',
    '2027-13-01T00:00:00Z',
    '2027-01-31T25:00:00Z',
    '2027-01-31T12:00:00+7',
    'tomorrow',
    '1800000000',
  ])('are refused: %j', (given) => {
    expect(refused(() => dateTime(given, 'exDate'))).toMatchObject({ kind: 'shape', at: 'exDate' });
  });
});

describe('text', () => {
  const messy = '\n  one\t two \r\n three ';
  test('is read unchanged, as a token, and as a normalised string', () => {
    expect(rawText(text(messy))).toBe(messy);
    expect(token(text(messy))).toBe('one two three');
    expect(normalized(text('one\ttwo\r\nthree '))).toBe('one two  three ');
    expect(token(text(''))).toBe('');
  });
  test('includes the text of nested elements, in order', () => {
    const tree = element(NS, 'a', undefined, 'one ', element('urn:2', 'b', undefined, 'two'), ' three');
    expect(rawText(tree)).toBe('one two three');
  });
  test('reads the text of attributes as a token', () => {
    expect(attribute(element(NS, 'a', { s: '  ok\n now ' }), 's')).toBe('ok now');
    expect(attribute(element(NS, 'a'), 's')).toBeUndefined();
    expect(neededAttribute(element(NS, 'a', { s: '' }), 's')).toBe('');
    expect(refused(() => neededAttribute(element(NS, 'a'), 's')).message).toBe('a: attribute s is missing');
  });
});

describe('children', () => {
  const parent = element(
    NS,
    'p',
    undefined,
    'text',
    element('urn:2', 'a', undefined, 'foreign'),
    element(NS, 'a', undefined, ' first '),
    element(NS, 'b', undefined, '7'),
    element(NS, 'a', undefined, 'second'),
    element(NS, 'd', undefined, '2027-01-31T12:00:00Z'),
  );
  test('are found by name and namespace, the first one first', () => {
    expect(rawText(child(parent, NS, 'a')!)).toBe(' first ');
    expect(rawText(child(parent, 'urn:2', 'a')!)).toBe('foreign');
    expect(child(parent, 'urn:3', 'a')).toBeUndefined();
    expect(child(parent, NS, 'c')).toBeUndefined();
    expect(children(parent, NS, 'a').map(rawText)).toEqual([' first ', 'second']);
    expect(elements(parent)).toHaveLength(5);
  });
  test('are read as required or optional values', () => {
    expect(neededToken(parent, NS, 'a')).toBe('first');
    expect(neededInteger(parent, NS, 'b')).toBe(7);
    expect(neededDate(parent, NS, 'd')).toEqual(new Date('2027-01-31T12:00:00Z'));
    expect(optionalToken(parent, NS, 'a')).toBe('first');
    expect(optionalToken(parent, NS, 'c')).toBeUndefined();
    expect(optionalDate(parent, NS, 'd')).toEqual(new Date('2027-01-31T12:00:00Z'));
    expect(optionalDate(parent, NS, 'c')).toBeUndefined();
    expect(refused(() => need(parent, NS, 'c')).message).toBe('p: c is missing');
    expect(refused(() => optionalDate(parent, NS, 'a'))).toMatchObject({ at: 'a' });
    expect(refused(() => neededInteger(parent, NS, 'a'))).toMatchObject({ at: 'a' });
  });
});

test('drops undefined values and keeps empty strings, false and zero', () => {
  const made = compact<{ a?: string; b?: string; c?: boolean; d?: number }>({ a: undefined, b: '', c: false, d: 0 });
  expect(Object.keys(made)).toEqual(['b', 'c', 'd']);
});
