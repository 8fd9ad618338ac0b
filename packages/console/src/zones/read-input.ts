import { cutLongStrings, type Name, quoteRawText } from '@namehold/dns/editor';

/** Automatic repairs of input. The user is informed of each. */
export type RepairKind = 'quotes' | 'wide' | 'spaces' | 'invisible' | 'pieces';

export interface Typed {
  /** The text for the draft. */
  readonly text: string;
  readonly repairs: readonly RepairKind[];
  /** A character that can be intended or come from copying. The user must decide. */
  readonly doubt?: string;
}

const doubleQuotes = '\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e\uff02';
const singleQuotes = '\u2018\u2019\u201a\u201b\u2032\uff07';
const curly = new RegExp(`[${doubleQuotes}${singleQuotes}]`);
const everyCurly = new RegExp(curly, 'g');
/** Non-ASCII spaces, except line ends. */
const otherSpaces = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const wideSigns = /[\uff01-\uff5e]/g;
/** Full stops of other scripts, which count as dots in names (UTS 46). */
const wideDots = /[\u3002\uff61]/g;
/** Joiners between letters of other scripts are part of the word. */
const invisible =
  /(?<![^\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f])|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

const textTypes = new Set(['TXT', 'SPF']);
const maxStringBytes = 255;

/** Collects the repairs of one text. */
class RepairLog {
  text: string;
  readonly repairs: RepairKind[] = [];
  constructor(text: string) {
    this.text = text;
  }
  step(what: RepairKind, next: string): this {
    if (next !== this.text) this.repairs.push(what);
    this.text = next;
    return this;
  }
}

const withoutInvisible = (typed: string): RepairLog =>
  new RepairLog(typed.trim())
    .step('invisible', typed.replaceAll(invisible, '').trim())
    .step('spaces', typed.replaceAll(invisible, '').replaceAll(otherSpaces, ' ').trim());

const toHalfWidth = (text: string): string =>
  text
    .replaceAll(wideDots, '.')
    .replaceAll(wideSigns, (sign) => (curly.test(sign) ? sign : String.fromCharCode(sign.charCodeAt(0) - 0xfee0)));

/** Reads names, TTLs and other words, where such characters are never intended. */
export function readToken(typed: string): Typed {
  const { text, repairs } = withoutInvisible(typed);
  const token = new RepairLog(text).step('wide', toHalfWidth(text));
  token.step('quotes', token.text.replaceAll(everyCurly, '').trim());
  return { text: token.text, repairs: [...repairs, ...token.repairs] };
}

/** Reads the content of a record. Plain TXT text gets quotes, and long text is split. */
export function readContent(type: string, typed: string): Typed {
  return textTypes.has(type) ? readText(typed) : readFields(typed);
}

function readFields(typed: string): Typed {
  const read = withoutInvisible(typed);
  read.step('wide', toHalfWidth(read.text));
  // Between two letters it is an apostrophe, which only the user can replace.
  const inner = new RegExp(`(?<=[a-z0-9])[${singleQuotes}](?=[a-z0-9])`, 'i').exec(read.text);
  if (inner) return { text: read.text, repairs: read.repairs, doubt: inner[0] };
  read.step('quotes', read.text.replaceAll(everyCurly, '"'));
  return { text: read.text, repairs: read.repairs };
}

const quotedStrings = /^"(?:[^"\\]|\\[\s\S])*"(?:\s*"(?:[^"\\]|\\[\s\S])*")*$/;

function readText(typed: string): Typed {
  const read = withoutInvisible(typed);
  // Text in other scripts keeps its characters.
  const ascii = toHalfWidth(read.text).replaceAll(everyCurly, '');
  if (!/[^\0-\x7f]/.test(ascii)) read.step('wide', toHalfWidth(read.text));
  read.step('quotes', straightened(read.text));
  const doubt = curly.exec(read.text)?.[0];
  if (doubt !== undefined) return { text: read.text, repairs: read.repairs, doubt };
  if (read.text === '') return { text: '', repairs: read.repairs };
  if (!read.text.startsWith('"')) {
    const written = quoteRawText(read.text);
    return { text: written, repairs: written.includes('" "') ? [...read.repairs, 'pieces'] : read.repairs };
  }
  if (quotedStrings.test(read.text)) read.step('pieces', cutLongStrings(read.text));
  return { text: read.text, repairs: read.repairs };
}

/** Makes curly quotes around strings straight. Quotes inside a string are left to the user. */
function straightened(text: string): string {
  for (const signs of [`"${doubleQuotes}`, singleQuotes]) {
    const one = `[${signs}]((?:[^${signs}\\\\]|\\\\[\\s\\S])*)[${signs}]`;
    if (new RegExp(`^${one}(?:\\s*${one})*$`).test(text)) return text.replaceAll(new RegExp(one, 'g'), '"$1"');
  }
  return text;
}

/** Shows a long split text as one. Short strings were split on purpose, as in DNS-SD (RFC 6763, section 6.1). */
export function shownContent({ name, type }: { readonly name: Name; readonly type: string }, text: string): string {
  if (!textTypes.has(type) || text.length <= maxStringBytes || /(?:^|\.)_(?:tcp|udp)\./i.test(name)) return text;
  const trimmed = text.trim();
  return quotedStrings.test(trimmed) ? trimmed.replaceAll(/(?<!\\)((?:\\\\)*)" +"/g, '$1') : text;
}

interface ReadLines {
  readonly text: string;
  readonly repairs: readonly RepairKind[];
  readonly doubts: readonly { readonly line: number; readonly sign: string }[];
}

/** Reads pasted lines and keeps their numbers. Ambiguous lines are left out and reported. */
export function readLines(typed: string): ReadLines {
  const repairs = new Set<RepairKind>();
  const doubts: { line: number; sign: string }[] = [];
  const lines = typed.split(/\r?\n/).map((line, at) => {
    const read = readLine(line);
    for (const each of read.repairs) repairs.add(each);
    if (read.doubt === undefined) return read.text;
    doubts.push({ line: at + 1, sign: read.doubt });
    return '';
  });
  return { text: lines.join('\n'), repairs: [...repairs], doubts };
}

/** Leading spaces are kept, because they mean the previous owner name. */
function readLine(line: string): Typed {
  if (!/[^\0-\x7f]|"/.test(line)) return { text: line, repairs: [] };
  const seen = line.replaceAll(invisible, '').replaceAll(otherSpaces, ' ');
  const read = new RepairLog(line);
  read.step('invisible', line.replaceAll(invisible, '')).step('spaces', seen);
  if (!/[^\0-\x7f]/.test(toHalfWidth(read.text).replaceAll(everyCurly, ''))) read.step('wide', toHalfWidth(read.text));
  const marks = curly.exec(read.text)?.[0];
  if (marks !== undefined) {
    const isInside = read.text.includes('"') || new RegExp(`(?<=\\w)[${singleQuotes}](?=\\w)`).test(read.text);
    const count = read.text.match(everyCurly)!.length;
    if (isInside || count % 2 === 1) return { text: read.text, repairs: read.repairs, doubt: marks };
    read.step('quotes', read.text.replaceAll(everyCurly, '"'));
  }
  read.step('pieces', cutLongStrings(read.text));
  return { text: read.text, repairs: read.repairs };
}

/** Reads a line of a help page: keeps apostrophes in words and makes quotes straight. */
export function readProseLine(line: string): string {
  const seen = line.replaceAll(invisible, '').replaceAll(otherSpaces, ' ');
  return toHalfWidth(seen)
    .replaceAll(new RegExp(`[${doubleQuotes}]`, 'g'), '"')
    .replaceAll(new RegExp(`(?<!\\w)[${singleQuotes}]|[${singleQuotes}](?!\\w)`, 'g'), "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}
