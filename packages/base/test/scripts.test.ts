import { expect, test } from 'vitest';
import { mixedScripts } from '../src/index.ts';

test.each([
  'example',
  'münchen',
  'пример',
  'παράδειγμα',
  '日本語ドメイン',
  'abc日本',
  '한국어abc',
  'नेटवर्क',
  'مثال',
  'עברית',
  'ひらがなー',
  'l·l',
  '123',
])('accepts %s as a combination of scripts', (label) => {
  expect(mixedScripts(label)).toBeUndefined();
});

test.each([
  ['pаypal', ['Cyrillic', 'Latin']],
  ['gοοgle', ['Greek', 'Latin']],
  ['аррӏе1a', ['Cyrillic', 'Latin']],
  ['ひらがなпример', ['Cyrillic', 'Hiragana']],
  ['aא', ['Hebrew', 'Latin']],
])('reports %s as a mixture of %j', (label, scripts) => {
  expect(mixedScripts(label)).toEqual(scripts);
});
