import { RecordError } from '../error.ts';
import { ROOT } from '../name.ts';
import { latin1Text } from '../octets.ts';
import { defineType } from './define.ts';
import { domainName, u16 } from './field.ts';
import { characterString } from './octets-field.ts';

/** RFC 3402 3.2: delimiter, expression, delimiter, replacement, delimiter, and "i" or nothing. */
function checkRegexp(octets: Uint8Array): void {
  const text = latin1Text(octets);
  const delimiter = text[0] ?? '';
  if (/[0-9i\\\0]/.test(delimiter)) throw new RecordError('regexp', `"${delimiter}" cannot be the delimiter`);
  const parts = [''];
  for (let at = 1; at < text.length; at++) {
    if (text[at] === delimiter) parts.push('');
    else {
      const length = text[at] === '\\' ? 2 : 1;
      parts[parts.length - 1] += text.slice(at, at + length);
      at += length - 1;
    }
  }
  const [expression = '', replacement = '', flags] = parts;
  if (parts.length !== 3 || !/^i?$/.test(flags ?? '')) {
    throw new RecordError('regexp', `is not of the form ${delimiter}expression${delimiter}replacement${delimiter}`);
  }
  if (!isExpression(expression)) throw new RecordError('regexp', 'the expression is not one of POSIX (extended)');
  const groups = expression.replace(/\\./g, '').split('(').length - 1;
  const references = [...replacement.matchAll(/\\(\d)/g)].map((match) => Number(match[1]));
  if (references.some((reference) => reference === 0 || reference > groups)) {
    throw new RecordError('regexp', 'the replacement names a group that the expression does not have');
  }
}

/** Compiled only, never run. Extensions of JavaScript over POSIX start with "(?"; the relevant rest is the same. */
function isExpression(text: string): boolean {
  if (text === '' || text.includes('(?')) return false;
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** RFC 3403 4.1: a rule has either a regular expression or the next name, never both. */
export const NAPTR = defineType(
  'NAPTR',
  35,
  [
    u16('order'),
    u16('preference'),
    characterString('flags'),
    characterString('service'),
    characterString('regexp'),
    domainName('replacement'),
  ],
  {
    check: (rdata) => {
      const flags = latin1Text(rdata.flags);
      if (!/^[SAUP]?$/i.test(flags)) throw new RecordError('flags', `"${flags}" is not S, A, U, P or nothing`);
      const hasRegexp = rdata.regexp.length > 0;
      const hasReplacement = rdata.replacement !== ROOT;
      if (hasRegexp && hasReplacement) throw new RecordError('replacement', 'must be "." beside a regexp');
      if (hasRegexp) checkRegexp(rdata.regexp);
      if (!hasRegexp && !hasReplacement) throw new RecordError('regexp', 'a regexp or a replacement is needed');
    },
  },
);
