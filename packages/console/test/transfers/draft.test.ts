import { describe, expect, test } from 'vitest';
import {
  isOrdered,
  type Line,
  mostNames,
  namesIn,
  nothingWanted,
  orderOf,
  withNames,
} from '../../src/transfers/draft.ts';

const line = (name: string, changes: Partial<Line> = {}): Line => ({ name, key: `key of ${name}`, ...changes });

describe('namesIn', () => {
  test.each([
    ['example.com AbC-123', [{ name: 'example.com', code: 'AbC-123' }]],
    ['  EXAMPLE.com\tAbC  ', [{ name: 'example.com', code: 'AbC' }]],
    ['example.com,AbC', [{ name: 'example.com', code: 'AbC' }]],
    ['example.com; a b,c;d "e" #1 ', [{ name: 'example.com', code: 'a b,c;d "e" #1' }]],
    ['https://www.example.com/path?x#y code', [{ name: 'example.com', code: 'code' }]],
    ['example.com.', [{ name: 'example.com', code: '' }]],
    ['bücher.example x', [{ name: 'xn--bcher-kva.example', code: 'x' }]],
    ['BÜCHER.example x\nxn--bcher-kva.example y', [{ name: 'xn--bcher-kva.example', code: 'y' }]],
    [
      'a.example 1\r\n\r\nb.example 2\n',
      [
        { name: 'a.example', code: '1' },
        { name: 'b.example', code: '2' },
      ],
    ],
    ['', []],
    [' \n \t\n', []],
    ['"" code', []],
  ])('reads %j', (text, found) => {
    expect(namesIn(text)).toEqual(found);
  });

  test('reads a code that contains every printable character', () => {
    const code = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join('');
    expect(namesIn(`example.com ${code}`)).toEqual([{ name: 'example.com', code }]);
  });

  test(`reads at most ${mostNames} names`, () => {
    const text = Array.from({ length: mostNames + 5 }, (_, n) => `n${n}.example c`).join('\n');
    expect(namesIn(text)).toHaveLength(mostNames);
  });
});

describe('withNames', () => {
  test('keeps the lines that exist, with their keys and orders', () => {
    const before = [line('a.example', { operationId: 'op_1' }), line('b.example')];
    const after = withNames(before, namesIn('b.example x\nc.example y\na.example z'));
    expect(after.slice(0, 2)).toEqual(before);
    expect(after.map(({ name }) => name)).toEqual(['a.example', 'b.example', 'c.example']);
  });

  test('gives each new line its own key, and stores no code', () => {
    const lines = withNames([], namesIn('a.example secret-1\nb.example secret-2'));
    expect(new Set(lines.map(({ key }) => key)).size).toBe(2);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('does not remove lines above the limit', () => {
    const full = Array.from({ length: mostNames }, (_, n) => line(`n${n}.example`));
    expect(withNames(full, namesIn('new.example x'))).toEqual(full);
  });
});

describe('orderOf', () => {
  const wanted = {
    ...nothingWanted,
    customerId: '7',
    contacts: { registrant: '1', admin: '2', tech: '3', billing: '4' },
    bill: 'pay_invoice' as const,
  };
  const order = {
    domain_name: 'a.example',
    customer_id: '7',
    registrant_contact_id: '1',
    admin_contact_id: '2',
    tech_contact_id: '3',
    billing_contact_id: '4',
    invoice_option: 'pay_invoice',
    quote_id: 'quo_1',
  };

  test('has no nameservers if none are given, so that the current ones are kept', () => {
    expect(orderOf(line('a.example'), { ...wanted, nameservers: ' \n , ' }, 'quo_1')).toEqual(order);
  });

  test('has the nameservers without trailing dots and duplicate separators', () => {
    const nameservers = 'NS1.example.net.\n\nns2.example.net, ns3.example.net;';
    expect(orderOf(line('a.example'), { ...wanted, nameservers }, 'quo_1')).toEqual({
      ...order,
      ns: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'],
    });
  });
});

test.each([
  [{}, false],
  [{ sent: {} as never }, false],
  [{ operationId: 'op_1' }, true],
  [{ isWaiting: true }, true],
])('a line with %j is ordered: %s', (changes, isDone) => {
  expect(isOrdered(line('a.example', changes))).toBe(isDone);
});
