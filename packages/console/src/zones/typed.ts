import { cutLongStrings, type Name, quoteRawText } from '@namehold/dns/editor';

/** What was mended on the way, because nothing else can have been meant. Each is said to whoever typed it. */
export type Mended = 'quotes' | 'wide' | 'spaces' | 'invisible' | 'pieces';

export interface Typed {
  /** As it goes into the draft. */
  readonly text: string;
  readonly mended: readonly Mended[];
  /** A sign that may be meant or may be an accident of copying: its owner has to say which. */
  readonly doubt?: string;
}

const doubleQuotes = '\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e\uff02';
const singleQuotes = '\u2018\u2019\u201a\u201b\u2032\uff07';
const curly = new RegExp(`[${doubleQuotes}${singleQuotes}]`);
const everyCurly = new RegExp(curly, 'g');
/** Spaces that are none of ASCII; line ends stay what they are. */
const otherSpaces = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const wideSigns = /[\uff01-\uff5e]/g;
/** Full stops of other scripts: browsers read them as the dots of a name (UTS 46). */
const wideDots = /[\u3002\uff61]/g;
/** Between letters of other scripts a joiner is a part of the word. */
const invisible =
  /(?<![^\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f])|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

const textTypes = new Set(['TXT', 'SPF']);
const maxStringOctets = 255;

/** Collects what a step has mended. */
class Mending {
  text: string;
  readonly mended: Mended[] = [];
  constructor(text: string) {
    this.text = text;
  }
  step(what: Mended, next: string): this {
    if (next !== this.text) this.mended.push(what);
    this.text = next;
    return this;
  }
}

const unseen = (typed: string): Mending =>
  new Mending(typed.trim())
    .step('invisible', typed.replaceAll(invisible, '').trim())
    .step('spaces', typed.replaceAll(invisible, '').replaceAll(otherSpaces, ' ').trim());

const narrow = (text: string): string =>
  text
    .replaceAll(wideDots, '.')
    .replaceAll(wideSigns, (sign) => (curly.test(sign) ? sign : String.fromCharCode(sign.charCodeAt(0) - 0xfee0)));

/** Names, TTLs and other words in which no such sign can be meant. */
export function readWord(typed: string): Typed {
  const { text, mended } = unseen(typed);
  const word = new Mending(text).step('wide', narrow(text));
  word.step('quotes', word.text.replaceAll(everyCurly, '').trim());
  return { text: word.text, mended: [...mended, ...word.mended] };
}

/** The content of one record as people type or paste it. Plain words of a TXT record get their quotes, and a long one its pieces. */
export function readContent(type: string, typed: string): Typed {
  return textTypes.has(type) ? readText(typed) : readFields(typed);
}

function readFields(typed: string): Typed {
  const read = unseen(typed);
  read.step('wide', narrow(read.text));
  // Between two letters it is an apostrophe, and no apostrophe belongs there: only its owner knows what does.
  const inner = new RegExp(`(?<=[a-z0-9])[${singleQuotes}](?=[a-z0-9])`, 'i').exec(read.text);
  if (inner) return { text: read.text, mended: read.mended, doubt: inner[0] };
  read.step('quotes', read.text.replaceAll(everyCurly, '"'));
  return { text: read.text, mended: read.mended };
}

const quotedStrings = /^"(?:[^"\\]|\\[\s\S])*"(?:\s*"(?:[^"\\]|\\[\s\S])*")*$/;

function readText(typed: string): Typed {
  const read = unseen(typed);
  // Words of a language that has such signs keep them.
  const ascii = narrow(read.text).replaceAll(everyCurly, '');
  if (!/[^\0-\x7f]/.test(ascii)) read.step('wide', narrow(read.text));
  read.step('quotes', straightened(read.text));
  const doubt = curly.exec(read.text)?.[0];
  if (doubt !== undefined) return { text: read.text, mended: read.mended, doubt };
  if (read.text === '') return { text: '', mended: read.mended };
  if (!read.text.startsWith('"')) {
    const written = quoteRawText(read.text);
    return { text: written, mended: written.includes('" "') ? [...read.mended, 'pieces'] : read.mended };
  }
  if (quotedStrings.test(read.text)) read.step('pieces', cutLongStrings(read.text));
  return { text: read.text, mended: read.mended };
}

/** Curly quotes that stand around strings become straight; those inside one are left, for its owner to say. */
function straightened(text: string): string {
  for (const signs of [`"${doubleQuotes}`, singleQuotes]) {
    const one = `[${signs}]((?:[^${signs}\\\\]|\\\\[\\s\\S])*)[${signs}]`;
    if (new RegExp(`^${one}(?:\\s*${one})*$`).test(text)) return text.replaceAll(new RegExp(one, 'g'), '"$1"');
  }
  return text;
}

/** A long text is shown as one, however it was cut. Short strings were written apart on purpose, and so are those of DNS-SD (RFC 6763 6.1). */
export function shownContent({ name, type }: { readonly name: Name; readonly type: string }, text: string): string {
  if (!textTypes.has(type) || text.length <= maxStringOctets || /(?:^|\.)_(?:tcp|udp)\./i.test(name)) return text;
  const trimmed = text.trim();
  return quotedStrings.test(trimmed) ? trimmed.replaceAll(/(?<!\\)((?:\\\\)*)" +"/g, '$1') : text;
}

export interface TypedLines {
  readonly text: string;
  readonly mended: readonly Mended[];
  readonly doubts: readonly { readonly line: number; readonly sign: string }[];
}

/** A zone file or whatever else was pasted, line by line: lines keep their numbers. A line in doubt is left out of the text, and named. */
export function readLines(typed: string): TypedLines {
  const mended = new Set<Mended>();
  const doubts: { line: number; sign: string }[] = [];
  const lines = typed.split(/\r?\n/).map((line, at) => {
    const read = readLine(line);
    for (const each of read.mended) mended.add(each);
    if (read.doubt === undefined) return read.text;
    doubts.push({ line: at + 1, sign: read.doubt });
    return '';
  });
  return { text: lines.join('\n'), mended: [...mended], doubts };
}

/** What stands before the first word says whose record it is: spaces there stay. */
function readLine(line: string): Typed {
  if (!/[^\0-\x7f]|"/.test(line)) return { text: line, mended: [] };
  const seen = line.replaceAll(invisible, '').replaceAll(otherSpaces, ' ');
  const read = new Mending(line);
  read.step('invisible', line.replaceAll(invisible, '')).step('spaces', seen);
  if (!/[^\0-\x7f]/.test(narrow(read.text).replaceAll(everyCurly, ''))) read.step('wide', narrow(read.text));
  const marks = curly.exec(read.text)?.[0];
  if (marks !== undefined) {
    const isInside = read.text.includes('"') || new RegExp(`(?<=\\w)[${singleQuotes}](?=\\w)`).test(read.text);
    const count = read.text.match(everyCurly)!.length;
    if (isInside || count % 2 === 1) return { text: read.text, mended: read.mended, doubt: marks };
    read.step('quotes', read.text.replaceAll(everyCurly, '"'));
  }
  read.step('pieces', cutLongStrings(read.text));
  return { text: read.text, mended: read.mended };
}

/** A line of a help page: apostrophes of its words stay, and quotes around something are straight. */
export function readProseLine(line: string): string {
  const seen = line.replaceAll(invisible, '').replaceAll(otherSpaces, ' ');
  return narrow(seen)
    .replaceAll(new RegExp(`[${doubleQuotes}]`, 'g'), '"')
    .replaceAll(new RegExp(`(?<!\\w)[${singleQuotes}]|[${singleQuotes}](?!\\w)`, 'g'), "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}
