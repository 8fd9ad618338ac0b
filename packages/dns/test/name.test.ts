import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareNames,
  isSubdomain,
  labelsOf,
  NameError,
  nameToWire,
  parentOf,
  parseName,
  Reader,
  relativeTo,
  WireError,
  Writer,
  wireToName,
} from '../src/index.ts';
import { anyName } from './arbitrary.ts';

const SEED = 7;
const origin = 'example.com.';

describe('parseName', () => {
  it.each([
    ['www', 'www.example.com.'],
    ['WWW.Example.COM.', 'www.example.com.'],
    ['@', 'example.com.'],
    ['.', '.'],
    ['a.b', 'a.b.example.com.'],
    ['bücher', 'xn--bcher-kva.example.com.'],
    ['_dmarc.straße.example.', '_dmarc.xn--strae-oqa.example.'],
    ['１２３.example.', '123.example.'],
    ['例え。テスト.', 'xn--r8jz45g.xn--zckzah.'],
    ['a\\.b.c.', 'a\\.b.c.'],
    ['\\097\\000.c.', 'a\\000.c.'],
    ['\\@x.c.', '\\@x.c.'],
    ['*.x', '*.x.example.com.'],
    ['a\\.', 'a\\..example.com.'],
  ])('reads %s as %s', (text, name) => expect(parseName(text, { origin })).toBe(name));

  it('reads dotted names as complete in forms', () => {
    const context = { origin, dotless: 'absolute-if-dotted' } as const;
    expect(parseName('mail.example.net', context)).toBe('mail.example.net.');
    expect(parseName('mail', context)).toBe('mail.example.com.');
  });

  it.each([
    '',
    '..',
    'a..b.',
    '.a.',
    'a b.',
    `${'x'.repeat(64)}.`,
    `${'x.'.repeat(128)}`,
    'a\\256.',
    'a\\25.',
    'a\\',
    'xn--a\u{1F4A9}\\.',
    'ab\u0000.',
  ])('refuses %j', (text) => expect(() => parseName(text, { origin })).toThrow(NameError));

  it('refuses a relative name without an origin', () => expect(() => parseName('www')).toThrow('no origin'));

  it('accepts 255 octets and no more', () => {
    const label = 'x'.repeat(63);
    const longest = `${label}.${label}.${label}.${'x'.repeat(61)}.`;
    expect(nameToWire(parseName(longest)).length).toBe(255);
    expect(() => parseName(`x${longest}`.replace(/^x{64}/, `${'x'.repeat(62)}.x`))).toThrow(NameError);
  });
});

describe('names on the wire', () => {
  it('round-trip through text', () => {
    fc.assert(
      fc.property(anyName, (text) => {
        const name = parseName(text);
        expect(wireToName(nameToWire(name))).toBe(name);
        expect(parseName(name)).toBe(name);
        expect(`${labelsOf(name).join('.')}.`).toBe(name);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('are compressed and read back', () => {
    const writer = new Writer();
    for (const name of ['a.example.com.', 'b.example.com.', 'example.com.', 'com.', '.', 'A.example.com.'])
      writer.compressedName(name);
    const octets = writer.finish();
    expect(octets.length).toBe(15 + 4 + 2 + 2 + 1 + 4);
    const reader = new Reader(octets);
    expect([1, 2, 3, 4, 5, 6].map(() => reader.name())).toEqual([
      'a.example.com.',
      'b.example.com.',
      'example.com.',
      'com.',
      '.',
      'A.example.com.',
    ]);
    expect(reader.left).toBe(0);
  });

  it.each([
    ['a pointer loop', [0xc0, 0x00]],
    ['a forward pointer', [0xc0, 0x04, 0, 0, 1, 0x61, 0]],
    ['pointers to each other', [1, 0x61, 0xc0, 0x04, 0xc0, 0x00]],
    ['a reserved label type', [0x40, 0x61, 0]],
    ['a label past the end', [5, 0x61, 0]],
    ['a missing end', [1, 0x61]],
    ['a truncated pointer', [0xc0]],
  ])('refuse %s', (_what, octets) => expect(() => new Reader(Uint8Array.from(octets)).name()).toThrow(WireError));

  it('refuse a chain of labels over 255 octets', () => {
    const chunk = [63, ...new Array<number>(63).fill(0x61)];
    const octets = [...chunk, 0, ...chunk, 0xc0, 0, ...chunk, 0xc0, 65, ...chunk, 0xc0, 131];
    const reader = new Reader(Uint8Array.from(octets), 197);
    expect(() => reader.name()).toThrow('longer than 255');
  });
});

describe('order and ancestry', () => {
  it('follow the example of RFC 4034, section 6.1', () => {
    const sorted = [
      'example.',
      'a.example.',
      'yljkjljk.a.example.',
      'Z.a.example.',
      'zABC.a.EXAMPLE.',
      'z.example.',
      '\\001.z.example.',
      '*.z.example.',
      '\\200.z.example.',
    ];
    expect([...sorted].reverse().sort(compareNames)).toEqual(sorted);
  });

  it('do not treat an escaped dot as the end of a label', () => {
    expect(isSubdomain('a\\.example.com.', 'example.com.')).toBe(false);
    expect(isSubdomain('a\\\\.example.com.', 'example.com.')).toBe(true);
    expect(isSubdomain('notexample.com.', 'example.com.')).toBe(false);
    expect(isSubdomain('Example.com.', 'example.COM.')).toBe(true);
    expect(isSubdomain('com.', '.')).toBe(true);
  });

  it('return parents and relative forms', () => {
    expect(parentOf('a.b.')).toBe('b.');
    expect(parentOf('b.')).toBe('.');
    expect(parentOf('.')).toBeUndefined();
    expect(relativeTo('example.com.', origin)).toBe('@');
    expect(relativeTo('a.b.example.com.', origin)).toBe('a.b');
    expect(relativeTo('example.net.', origin)).toBe('example.net.');
    expect(relativeTo('com.', '.')).toBe('com');
  });
});
