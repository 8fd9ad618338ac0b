import { describe, expect, test } from 'vitest';
import { amountIn } from '../src/components/amount.ts';
import { locale } from '../src/messages/locale.ts';
import { checkSet } from '../src/zones/check.ts';
import { ownerOf } from '../src/zones/draft.ts';
import { readPaste } from '../src/zones/paste.ts';
import { readContent, readLines, readToken, shownContent } from '../src/zones/read-input.ts';

const origin = 'example.com.';

describe('amountIn', () => {
  test.each([
    ['en', '12.34', '12.34'],
    ['en', '1,234.50', '1234.50'],
    ['en', '10,000', '10000'],
    ['en', '4,87', '4.87'],
    ['en', '1,23,456', '1,23,456'],
    ['id', '4,87', '4.87'],
    ['id', '4.87', '4.87'],
    ['id', '10.000', '10000'],
    ['id', '1.234.567,5', '1234567.5'],
    ['id', ' 25 000 ', '25000'],
    ['id', '12a', '12a'],
  ] as const)('reads an amount in %s: %s', (spoken, typed, sum) => {
    locale.value = spoken;
    expect(amountIn(typed)).toBe(sum);
    locale.value = 'en';
  });
});

describe('readContent', () => {
  test.each([
    ['A', '１９２．０．２．１', '192.0.2.1', ['wide']],
    ['A', '192。0。2。1', '192.0.2.1', ['wide']],
    ['A', '\u200b192.0.2.1\ufeff', '192.0.2.1', ['invisible']],
    ['MX', '10\u00a0mail.example.net.', '10 mail.example.net.', ['spaces']],
    ['CAA', '0 issue “letsencrypt.org”', '0 issue "letsencrypt.org"', ['quotes']],
    ['CAA', '0 issue ‘letsencrypt.org’', '0 issue "letsencrypt.org"', ['quotes']],
    ['TXT', '“v=spf1 include:_spf.example.net -all”', '"v=spf1 include:_spf.example.net -all"', ['quotes']],
    ['TXT', '„v=spf1 -all“', '"v=spf1 -all"', ['quotes']],
    ['TXT', '‘v=spf1 -all’', '"v=spf1 -all"', ['quotes']],
    ['TXT', '“one” “two”', '"one" "two"', ['quotes']],
    ['TXT', '“say \\"hello\\"”', '"say \\"hello\\""', ['quotes']],
    ['TXT', 'ｖ＝ｓｐｆ１　－ａｌｌ', '"v=spf1 -all"', ['spaces', 'wide']],
    ['TXT', 'v=spf1\u00a0-all', '"v=spf1 -all"', ['spaces']],
    ['TXT', 'v=spf1 -all', '"v=spf1 -all"', []],
    ['TXT', '"v=spf1 -all"', '"v=spf1 -all"', []],
    ['TXT', 'say "hello"', '"say \\"hello\\""', []],
  ])('repairs %s %s', (type, typed, text, repairs) => {
    expect(readContent(type, typed)).toEqual({ text, repairs });
    const built = checkSet({ name: origin, type, ttl: 3_600, records: [text] }, origin);
    expect(built).toHaveProperty('set');
    if ('set' in built) expect(built.set.records[0]!.text).toBe(text);
  });

  test.each([
    ['TXT', 'it’s ours', '’'],
    ['TXT', '"it’s ours"', '’'],
    ['TXT', '“say “hello””', '“'],
    ['TXT', '“v=spf1 -all', '“'],
    ['MX', '10 o’neil.example.net.', '’'],
  ])('reports an ambiguous character: %s %s', (type, typed, doubt) => {
    expect(readContent(type, typed)).toMatchObject({ text: typed, doubt });
  });

  test('keeps characters and joiners of other scripts', () => {
    expect(readContent('TXT', '全角！').repairs).toEqual([]);
    const emoji = '👩‍💻';
    expect(readContent('TXT', emoji)).toEqual({ text: expect.stringContaining('\\226\\128\\141'), repairs: [] });
  });

  test('splits long text for the record and shows it as one', () => {
    const key = `v=DKIM1; p=${'A'.repeat(400)}`;
    for (const typed of [key, `"${key}"`, `“${key}”`]) {
      const { text, repairs } = readContent('TXT', typed);
      expect(repairs.at(-1)).toBe('pieces');
      const built = checkSet({ name: origin, type: 'TXT', ttl: 3_600, records: [text] }, origin);
      expect(built).toHaveProperty('set');
      expect(text.match(/"[^"]*"/g)!.map((piece) => piece.length - 2)).toEqual([255, 156]);
      expect(shownContent({ name: origin, type: 'TXT' }, text)).toBe(`"${key}"`);
    }
    // Bytes are counted; an escape is one byte, and an escaped quote does not end the string.
    const odd = `${'é'.repeat(127)}\\"\\\\\\065${'b'.repeat(10)}`;
    const { text } = readContent('TXT', `"${odd}"`);
    expect(text).toBe(`"${'é'.repeat(127)}\\"" "\\\\\\065${'b'.repeat(10)}"`);
    expect(shownContent({ name: origin, type: 'TXT' }, `${text.replaceAll('é', '\\195\\169')}`)).toBe(
      `"${odd.replaceAll('é', '\\195\\169')}"`,
    );
  });

  test('keeps strings that were split on purpose', () => {
    expect(shownContent({ name: origin, type: 'TXT' }, '"one" "two"')).toBe('"one" "two"');
    const long = `"${'a'.repeat(200)}" "${'b'.repeat(200)}"`;
    expect(shownContent({ name: `_http._tcp.${origin}`, type: 'TXT' }, long)).toBe(long);
    expect(shownContent({ name: origin, type: 'TXT' }, long)).toBe(`"${'a'.repeat(200)}${'b'.repeat(200)}"`);
  });
});

test('readToken repairs names and TTLs', () => {
  expect(readToken('“ｗｗｗ”\u200b')).toEqual({ text: 'www', repairs: ['invisible', 'wide', 'quotes'] });
  expect(readToken('３６００')).toEqual({ text: '3600', repairs: ['wide'] });
  expect(ownerOf('www。example。com', origin)).toEqual({ name: 'www.example.com.' });
});

describe('readPaste', () => {
  const pasted = (text: string) => {
    const { records, unread, repairs } = readPaste(text, origin);
    return { records: records.map(({ name, type, text: data }) => `${name} ${type} ${data}`), unread, repairs };
  };
  test('reads a zone file copied from a document', () => {
    const found = pasted('www\u00a0IN\u00a0A\u00a0１９２．０．２．１\n@ IN TXT “v=spf1 -all”\n@ IN TXT "it’s"\n');
    expect(found.records).toEqual(['www.example.com. A 192.0.2.1', 'example.com. TXT "v=spf1 -all"']);
    expect(found.repairs).toEqual(['spaces', 'wide', 'quotes']);
    expect(found.unread).toMatchObject([{ line: 3, text: '@ IN TXT "it’s"' }]);
  });
  test('reads a table and the text of a help page', () => {
    expect(pasted('Type,Name,Content\nTXT,@,“v=spf1 -all”\nA,www,１９２．０．２．３').records).toEqual([
      'example.com. TXT "v=spf1 -all"',
      'www.example.com. A 192.0.2.3',
    ]);
    expect(pasted('Add a TXT record named _verify with the value “token-123”.').records).toEqual([
      '_verify.example.com. TXT "token-123"',
    ]);
  });
  test('splits a string of more than 255 bytes', () => {
    const key = 'k'.repeat(300);
    expect(pasted(`s._domainkey IN TXT "${key}"`)).toMatchObject({
      records: [`s._domainkey.example.com. TXT "${key.slice(0, 255)}" "${key.slice(255)}"`],
      repairs: ['pieces'],
    });
  });
  test('keeps line numbers and leading spaces', () => {
    expect(readLines(' A 192.0.2.1\r\n\u00a0A 192.0.2.2')).toMatchObject({ text: ' A 192.0.2.1\n A 192.0.2.2' });
  });
});
