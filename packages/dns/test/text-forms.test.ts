import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../src/duration.ts';
import { type Edns, readEdns, writeEdns } from '../src/edns.ts';
import { toAsciiLabel } from '../src/idn.ts';
import { answersNotify, notifyAnswer, notifyRequest } from '../src/notify.ts';
import { checkOwner, warnOwner } from '../src/owner.ts';
import {
  base32HexText,
  base64Text,
  escapeOctets,
  hexText,
  parseBase32Hex,
  parseBase64,
  parseHex,
  unescapeOctets,
} from '../src/text.ts';
import { readLogicalLines } from '../src/token.ts';
import { Reader, Writer } from '../src/wire.ts';

const SEED = 20261115;
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe('octets as text', () => {
  // RFC 4648 section 10, without padding as RFC 5155 writes it.
  it.each([
    ['', ''],
    ['f', 'CO'],
    ['fo', 'CPNG'],
    ['foo', 'CPNMU'],
    ['foob', 'CPNMUOG'],
    ['fooba', 'CPNMUOJ1'],
    ['foobar', 'CPNMUOJ1E8'],
  ])('are base32hex: "%s" is %s', (plain, text) => {
    expect(base32HexText(bytes(plain))).toBe(text);
    expect(parseBase32Hex(text)).toEqual(bytes(plain));
    expect(parseBase32Hex(text.toLowerCase())).toEqual(bytes(plain));
  });

  it.each(['C', 'CP=', 'CW', 'CO!', 'CP', 'CPN', 'CPNMU0'])('are refused as base32hex: %s', (text) => {
    expect(() => parseBase32Hex(text)).toThrow('base32hex');
  });

  it.each(['A', 'AG', '0x1', ' 00'])('are refused as hex: %s', (text) => expect(() => parseHex(text)).toThrow('hex'));
  it.each(['A', 'AA', 'AAA', 'AA=', 'A===', 'AA-_', 'AAAA='])('are refused as base64: %s', (text) =>
    expect(() => parseBase64(text)).toThrow('base64'),
  );

  it('are unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (octets) => {
        expect(parseBase32Hex(base32HexText(octets))).toEqual(octets);
        expect(parseHex(hexText(octets))).toEqual(octets);
        expect(parseBase64(base64Text(octets))).toEqual(octets);
        expect(unescapeOctets(escapeOctets(octets))).toEqual(octets);
        expect(escapeOctets(octets)).toMatch(/^(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\]|\\\d{3})*$/);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it.each(['\\256', '\\1', '\\12', '\\1a2', '\\'])('are refused as an escape: %s', (text) =>
    expect(() => unescapeOctets(`a${text}`)).toThrow(),
  );
});

describe('durations', () => {
  it.each([
    ['0', 0],
    ['3600', 3_600],
    ['1h', 3_600],
    ['1H30M', 5_400],
    ['1w2d3h4m5s', 788_645],
    ['2147483647', 2_147_483_647],
  ])('%s is %i seconds', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each(['', 'h', '1y', '-1', '1.5h', '1 h', '1h30', '+5', '12345678901h'])('%s is refused', (text) =>
    expect(parseDuration(text)).toBeUndefined(),
  );
});

describe('international labels', () => {
  it.each([
    ['bücher', 'xn--bcher-kva'],
    ['BÜCHER', 'xn--bcher-kva'],
    // UTS 46, not the older mapping: a sharp s is a letter of its own.
    ['straße', 'xn--strae-oqa'],
    ['１２３', '123'],
    ['मराठी', 'xn--d2b1ag0dl'],
  ])('%s is %s', (label, ascii) => expect(toAsciiLabel(label)).toBe(ascii));

  it.each(['bü cher', 'bü!', 'a\\ü', 'ü。b', '\u00ad', 'ü'.repeat(64)])('%s is refused', (label) => {
    let ascii: string | undefined;
    try {
      ascii = toAsciiLabel(label);
    } catch {
      return;
    }
    // Other long labels are left to the length check and never cut.
    expect(ascii.length).toBeGreaterThan(63);
  });
});

describe('owner names', () => {
  it.each([
    ['*.example.com.', 'A', undefined],
    ['a.*.example.com.', 'A', 'is a wildcard only'],
    ['a*.example.com.', 'TXT', 'is a wildcard only'],
    ['a_b.example.com.', 'A', 'underscore'],
    ['a_b.example.com.', 'TXT', undefined],
    ['_sip._tcp.example.com.', 'SRV', undefined],
    ['sip.example.com.', 'SRV', '_service._proto'],
    ['_443._tcp.example.com.', 'TLSA', undefined],
    ['*._tcp.example.com.', 'TLSA', undefined],
    ['443._tcp.example.com.', 'TLSA', '_port._proto'],
    ['0/25.2.0.192.in-addr.arpa.', 'PTR', undefined],
    ['0/25.example.com.', 'A', 'host names do not allow'],
    [`${'ab'.repeat(28)}._openpgpkey.example.com.`, 'OPENPGPKEY', undefined],
    [`${'ab'.repeat(27)}._openpgpkey.example.com.`, 'OPENPGPKEY', '<hash>._openpgpkey'],
  ])('%s %s: %s', (owner, type, warned) => {
    const [warning] = warnOwner(owner, type);
    if (warned === undefined) expect(warning).toBeUndefined();
    else expect(warning?.reason).toContain(warned);
  });

  it('may contain any printable character and nothing else', () => {
    for (const owner of ['a\\.b.example.', 'a\\@b.example.', 'a\\033.example.']) checkOwner(owner);
    for (const owner of ['a\\000.example.', 'a\\032b.example.', 'a\\127.example.', 'a\\255.example.'])
      expect(() => checkOwner(owner), owner).toThrow('characters that are not allowed here');
  });
});

describe('lines of a zone file', () => {
  const lines = (text: string, comments: 'skip' | 'refuse' = 'skip') => [...readLogicalLines(text, { comments })];

  it('are counted through parentheses, comments and unreadable text', () => {
    const read = lines('a 1 ; x\n\nb ( 2 ; y\n 3 )\nc "open\nd 4\n');
    expect(read.map(({ line, tokens, error }) => [line, tokens.map(({ text }) => text), error?.line])).toEqual([
      [1, ['a', '1'], undefined],
      [3, ['b', '2', '3'], undefined],
      [5, [], 5],
      [6, ['d', '4'], undefined],
    ]);
  });

  it('are counted through a quoted line end too', () => {
    const read = lines('a "x\\\ny"\nb )\n');
    expect(read.map(({ line, error }) => [line, error?.line])).toEqual([
      [1, undefined],
      [3, 3],
    ]);
  });

  const LINES: readonly (readonly [string, string | undefined])[] = [
    ['a )', 'without an opening one'],
    ['a ( b', 'not closed'],
    ['a "b', 'a quote is not closed'],
    ['a b"c"', 'contains a quote'],
    ['a b\\', undefined],
    ['a b\\\nc', 'a backslash ends the line'],
    ['a alpn="h2,h3"', undefined],
    ['a alpn="h2"x"y"', 'contains a quote'],
    [`a ${'x'.repeat(300_002)}`, 'longer than'],
    [`a "${'x'.repeat(300_003)}"`, 'not closed'],
    [`a ${'x '.repeat(70_001)}`, 'more than 70000 words'],
  ];
  // Titles have the start of the text only: some texts are very long.
  it.each(LINES.map(([text, reason]) => [text.slice(0, 20), reason, text] as const))(
    '%s is read or refused: %s',
    (_title, reason, text) => {
      const [entry] = lines(text);
      if (reason === undefined) expect(entry?.error).toBeUndefined();
      else expect(entry?.error?.reason).toContain(reason);
    },
  );

  it('have no comments in a single record, where a missing quote is more likely', () => {
    expect(lines('v=DKIM1; k=rsa', 'refuse')[0]?.error?.reason).toContain('put the value in quotes');
    expect(lines('"v=DKIM1; k=rsa"', 'refuse')[0]?.error).toBeUndefined();
    expect(lines('v=DKIM1\\; k=rsa', 'refuse')[0]?.error).toBeUndefined();
  });
});

describe('EDNS', () => {
  it('is unchanged after writing and reading, including options and unknown flags', () => {
    const edns: Edns = {
      udpPayloadOctets: 1232,
      version: 1,
      dnssecOk: true,
      reservedFlags: 0x4001,
      options: [
        { code: 10, octets: Uint8Array.of(1, 2, 3) },
        { code: 65_001, octets: new Uint8Array() },
      ],
    };
    const writer = new Writer();
    writeEdns(edns, 0xabc, writer);
    const octets = writer.finish();
    const view = new DataView(octets.buffer, octets.byteOffset, octets.length);
    expect([octets[0], view.getUint16(1), view.getUint16(3)]).toEqual([0, 41, 1232]);
    // RFC 6891 6.1.3: the upper eight bits of the rcode.
    expect(octets[5]).toBe(0xab);
    expect(view.getUint16(9)).toBe(octets.length - 11);
    expect(readEdns(1232, view.getUint32(5), new Reader(octets.subarray(11)))).toEqual(edns);
  });

  it.each([[[0]], [[0, 10, 0]], [[0, 10, 0, 4, 1, 2]]])('is refused with options that end too early: %j', (octets) => {
    expect(() => readEdns(512, 0, new Reader(Uint8Array.from(octets)))).toThrow();
  });
});

describe('the answer to a NOTIFY', () => {
  const request = notifyRequest(7, 'Example.com.');
  const answer = notifyAnswer(request);
  it('is accepted with its id, opcode and zone, in any case', () => {
    expect(answer.flags).toMatchObject({ response: true, authoritative: true });
    expect(answersNotify(request, answer)).toBe(true);
    const other = { ...answer.question[0]!, name: 'eXample.COM.' };
    expect(answersNotify(request, { ...answer, question: [other] })).toBe(true);
    // Some servers omit the question in a refusal.
    expect(answersNotify(request, { ...answer, question: [] })).toBe(true);
  });
  it('is refused without one of them', () => {
    expect(answersNotify(request, request)).toBe(false);
    expect(answersNotify(request, { ...answer, id: 8 })).toBe(false);
    expect(answersNotify(request, { ...answer, opcode: 0 })).toBe(false);
    const other = { ...answer.question[0]!, name: 'example.org.' };
    expect(answersNotify(request, { ...answer, question: [other] })).toBe(false);
  });
});
