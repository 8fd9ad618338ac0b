import { describe, expect, test } from 'vitest';
import { problemsIn, readConsole } from '../../../tools/messages/check.ts';
import { exceptions } from '../../../tools/messages/exceptions.ts';
import type { Exceptions } from '../../../tools/messages/rules.ts';

const none = { long: {}, question: {}, bare: {} };

/** A page with these messages in English and Indonesian, and this code. */
function problems(en: string, id: string, code: string, allowed: Exceptions = none): readonly string[] {
  const messages = `import { defineMessages, plural } from '../messages/locale.ts';
const messages = defineMessages({ ${en} }, { ${id} });`;
  const page = `import { messages } from './messages.ts';
export default function Page() { const t = messages(); return ${code}; }`;
  return problemsIn(
    new Map([
      ['packages/console/src/page/messages.ts', messages],
      ['packages/console/src/page/page.tsx', page],
    ]),
    allowed,
  );
}

describe('messages check', () => {
  test('accepts the messages of the console', () => {
    expect(problemsIn(readConsole(), exceptions)).toEqual([]);
  });
  test('accepts a message that is used in both languages', () => {
    expect(problems("save: 'Save'", "save: 'Simpan'", '<p>{t.save}</p>')).toEqual([]);
  });
  test('reports a message that no page uses', () => {
    expect(problems("save: 'Save', old: 'Old'", "save: 'Simpan', old: 'Lama'", '<p>{t.save}</p>')).toEqual([
      'page/messages:old: not used anywhere',
    ]);
  });
  test('reports an unknown message id', () => {
    expect(problems("save: 'Save'", "save: 'Simpan'", '<p>{t.save}{t.sav}</p>')).toEqual([
      'packages/console/src/page/page.tsx:2: unknown message sav',
    ]);
  });
  test('reports a message without a translation', () => {
    expect(problems("save: 'Save'", '', '<p>{t.save}</p>')).toEqual(['page/messages:save: Indonesian is missing']);
    expect(problems('', "save: 'Simpan'", '<p>{t.save}</p>')).not.toEqual([]);
  });
  test('reports a placeholder that is missing in one language', () => {
    const found = problems("at: (a: string) => 'At ' + a", "at: (a: string) => 'Pada'", '<p>{t.at(x)}</p>');
    expect(found).toEqual(['page/messages:at: placeholder 1 is in one language only']);
    expect(
      problems(
        "n: (n: number) => plural(n, '# key', '# keys')",
        "n: (n: number) => plural(n, 'kunci')",
        '<p>{t.n(1)}</p>',
      ),
    ).toEqual(['page/messages:n: the count (#) is in one language only']);
  });
  test('reports a placeholder that no caller fills', () => {
    const both = 'at: (a: string, b: string) => a + b';
    expect(problems(both, both, '<p>{t.at(x)}</p>')).toEqual(['page/messages:at: no caller fills all 2 placeholders']);
    expect(problems(both, both, '<p>{t.at(x, y)}</p>')).toEqual([]);
  });
  test.each([
    ['a button', 24, '<Button>{t.long}</Button>'],
    ['a button', 24, '<VerbDialog verb={isOn ? t.long : x} />'],
    ['a button', 24, '[{ label: t.long, act }]'],
    ['a table head', 20, "[{ key: 'a', title: t.long, cell }]"],
    ['a table head', 20, '<th>{t.long}</th>'],
    ['a toast', 80, 'toast(t.long)'],
  ])('reports a text that is too long for %s (%i characters): %s', (kind, budget, code) => {
    const long = 'a'.repeat(budget + 1);
    const message = (text: string) => `long: '${text}'`;
    const [found] = problems(message(long), message('a'), code);
    expect(found).toBe(`page/messages:long: ${budget + 1} characters on ${kind} (${budget} at most): ${long}`);
    expect(problems(message(long.slice(1)), message('a'), code)).toEqual([]);
    expect(
      problems(message(long), message('a'), code, { ...none, long: { 'page/messages:long': 'a reason' } }),
    ).toEqual([]);
  });
  test('reports a sentence of more than 25 words', () => {
    const sentence = (words: number) => `text: '${'kata '.repeat(words).trim()}.'`;
    expect(problems(sentence(26), sentence(3), '<p>{t.text}</p>')).toEqual([
      expect.stringContaining('page/messages:text: a sentence of 26 words (25 at most)'),
    ]);
    expect(problems(sentence(25), sentence(3), '<p>{t.text}</p>')).toEqual([]);
  });
  test('reports a sentence that begins with who or what', () => {
    const found = problems("text: 'Done. What is sent stays.'", "text: 'Selesai.'", '<p>{t.text}</p>');
    expect(found).toEqual(['page/messages:text: a sentence begins with who or what: What is sent stays.']);
  });
  test('reports text in a page that is not a message', () => {
    expect(problems("save: 'Save'", "save: 'Simpan'", '<p title="Tip">Bare {t.save} <code>curl</code></p>')).toEqual([
      'packages/console/src/page/page.tsx:2: a text without a message: Tip',
      'packages/console/src/page/page.tsx:2: a text without a message: Bare',
    ]);
  });
  test('reports an id that is computed at the top of a catalogue', () => {
    expect(problems("kinds: { a: 'A', b: 'B' }", "kinds: { a: 'A', b: 'B' }", '<p>{t.kinds[kind]}</p>')).toEqual([]);
    expect(problems("a: 'A'", "a: 'A'", '<p>{t[kind]}{t.a}</p>')).toEqual([
      expect.stringContaining('the id is computed at the top of a catalogue'),
    ]);
  });
});
