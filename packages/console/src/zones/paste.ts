import { isSubdomain, type Name, parseDuration, readZoneFile } from '@namehold/dns/editor';
import { checkSet } from './check.ts';
import { defaultTtlSeconds, offeredTypes, ownerOf, type RRsetText } from './draft.ts';
import { messages } from './messages.ts';
import { problemText } from './problem-text.ts';
import { type RepairKind, readContent, readLines, readProseLine } from './read-input.ts';

export interface PastedRecord {
  readonly name: Name;
  readonly type: string;
  readonly ttl: number | undefined;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

interface Unread {
  readonly line: number;
  readonly text: string;
  readonly reason: string;
  /** An ambiguous character, shown instead of the reason. */
  readonly doubt?: string;
}

interface Pasted {
  readonly kind: 'file' | 'dig' | 'table' | 'prose' | 'none';
  readonly records: readonly PastedRecord[];
  readonly unread: readonly Unread[];
  readonly repairs: readonly RepairKind[];
}

type Read = Omit<Pasted, 'repairs'>;

/** Longer text is checked by the server only. */
const pasteLimitChars = 262_144;

const types = new Set(offeredTypes);
const isType = (word: string) => types.has(word.toUpperCase()) || /^TYPE\d{1,5}$/i.test(word);

/** Reads records from a zone file, dig output, a table, or the text of a help page. */
export function readPaste(text: string, origin: Name): Pasted {
  if (text.length > pasteLimitChars)
    return { ...none([{ line: 1, text: '', reason: messages().pasteReasons.tooLong }]), repairs: [] };
  const written = text.split(/\r?\n/);
  const plain = readLines(text);
  const read = readPlain(plain.text, written, origin);
  // Help pages contain apostrophes, so only their values can be ambiguous.
  if (read.kind === 'prose') return { ...read, repairs: plain.repairs };
  const doubts = plain.doubts.map(({ line, sign }) => {
    return { line, text: written[line - 1]!.trim(), reason: '', doubt: sign };
  });
  const inDoubt = new Set(doubts.map(({ line }) => line));
  const unread = [...doubts, ...read.unread.filter(({ line }) => !inDoubt.has(line))].sort((a, b) => a.line - b.line);
  return { ...read, unread, repairs: plain.repairs };
}

function readPlain(text: string, written: readonly string[], origin: Name): Read {
  const lines = text.split('\n');
  const isDig = lines.some((line) => /^;; (?:ANSWER|AUTHORITY|ADDITIONAL) SECTION:|^; <<>> DiG/.test(line));
  if (isDig || lines.some((line) => /\sIN\s+[A-Z0-9]{1,10}\s|^\s*\$(?:ORIGIN|TTL)\b/.test(line)))
    return readFile(isDig ? answersOnly(lines) : text, lines, origin, isDig ? 'dig' : 'file');
  const table = readTable(lines, origin);
  if (table) return table;
  const prose = readProse(written, origin);
  if (prose.records.length > 0) return prose;
  const file = readFile(text, lines, origin, 'file');
  return file.records.length > 0 ? file : none(unreadLines(written, messages().pasteReasons.noRecord));
}

const none = (unread: readonly Unread[]): Read => ({ kind: 'none', records: [], unread });

const unreadLines = (lines: readonly string[], reason: string): Unread[] =>
  lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ line: at + 1, text: text.trim(), reason }]));

/** The answer section. Other lines become empty, so that line numbers stay correct. */
function answersOnly(lines: readonly string[]): string {
  let isAnswer = !lines.some((line) => /^;; ANSWER SECTION:/.test(line));
  return lines
    .map((line) => {
      if (/^;; \w+ SECTION:/.test(line)) isAnswer = /ANSWER/.test(line);
      else if (/^;;/.test(line)) isAnswer = false;
      return isAnswer && !line.startsWith(';') ? line : '';
    })
    .join('\n');
}

function readFile(text: string, lines: readonly string[], origin: Name, kind: 'file' | 'dig'): Read {
  const read = readZoneFile(text, {
    origin,
    defaultTtlSeconds,
    // The rule of the form for a new record.
    dotless: 'absolute-if-dotted',
    dropTypes: new Set(['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'ZONEMD']),
  });
  const unread = read.errors.map((problem) => ({
    line: problem.line,
    text: lines[problem.line - 1]?.trim() ?? '',
    reason: problemText(problem),
  }));
  const records = read.rrsets.flatMap(({ name, type, ttl, records: texts }) =>
    texts.map((record) => ({ name, type, ttl, text: record.text, line: read.lines.get(`${name} ${type}`) ?? 1 })),
  );
  return { kind, records, unread };
}

const columns: Readonly<Record<string, readonly string[]>> = {
  name: ['name', 'host', 'hostname', 'record', 'host name', 'nama', 'subdomain'],
  type: ['type', 'record type', 'tipe', 'jenis'],
  ttl: ['ttl'],
  priority: ['priority', 'pref', 'preference', 'prio', 'mx', 'prioritas'],
  data: ['value', 'content', 'data', 'target', 'points to', 'answer', 'destination', 'address', 'nilai', 'isi'],
};

/** Reads CSV with commas, semicolons or tabs, with a header or with the type in a fixed column. */
function readTable(lines: readonly string[], origin: Name): Read | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  const sign = ['\t', ';', ','].find(
    (each) => filled.length > 0 && filled.every((line) => line.split(each).length >= 3),
  );
  if (sign === undefined) return undefined;
  const head = cells(filled[0]!, sign).map((cell) => cell.toLowerCase());
  const placeOf = (column: string) => head.findIndex((cell) => columns[column]!.includes(cell));
  const hasHead = placeOf('type') >= 0 && placeOf('data') >= 0;
  const rows = lines.map((line) => cells(line, sign));
  const typeAt = hasHead ? placeOf('type') : rows[0]!.findIndex(isType);
  if (typeAt < 0) return undefined;
  const nameAt = hasHead ? placeOf('name') : typeAt === 0 ? 1 : 0;
  const out: PasteCollector = { records: [], unread: [], origin };
  const first = lines.findIndex((line) => line.trim() !== '');
  for (const [at, row] of rows.entries()) {
    if (lines[at]!.trim() === '' || (hasHead && at === first)) continue;
    const rest = row.filter((_, place) => place !== typeAt && place !== nameAt);
    const ttlAt = rest.findIndex((cell) => /^\d+[smhdw]?$/i.test(cell) && rest.length > 1);
    const ttl = hasHead ? row[placeOf('ttl')] : rest[ttlAt];
    const priority = hasHead ? row[placeOf('priority')] : undefined;
    const data = hasHead ? row[placeOf('data')] : rest.filter((_, place) => place !== ttlAt).join(' ');
    collect(
      out,
      { name: row[nameAt] ?? '@', type: row[typeAt] ?? '', ttl, priority, data: data ?? '' },
      at + 1,
      lines[at]!,
    );
  }
  return { kind: 'table', ...out };
}

function cells(line: string, sign: string): string[] {
  const found: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!;
    if (letter === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === sign && !isQuoted) {
      found.push(cell);
      cell = '';
    } else cell += letter;
  }
  return [...found, cell].map((each) => each.trim());
}

interface PasteCollector {
  readonly records: PastedRecord[];
  readonly unread: Unread[];
  readonly origin: Name;
}

interface RawRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl?: string | undefined;
  readonly priority?: string | undefined;
  readonly data: string;
}

function collect(out: PasteCollector, raw: RawRecord, line: number, text: string): void {
  const refuse = (reason: string) => out.unread.push({ line, text: text.trim(), reason });
  const type = raw.type.trim().toUpperCase();
  if (!isType(type)) return void refuse(messages().pasteReasons.notAType(raw.type));
  const owner = ownerOf(raw.name, out.origin);
  if ('reason' in owner) return void refuse(problemText({ field: 'name', reason: owner.reason }));
  if (!isSubdomain(owner.name, out.origin)) return void refuse(messages().pasteReasons.notInZone(owner.name));
  const ttl = raw.ttl === undefined || raw.ttl === '' ? undefined : parseDuration(raw.ttl.trim());
  const { text: data, doubt } = readContent(type, withPriority(type, raw));
  if (doubt !== undefined) return void out.unread.push({ line, text: text.trim(), reason: '', doubt });
  const set: RRsetText = { name: owner.name, type, ttl: ttl ?? defaultTtlSeconds, records: [data] };
  const built = checkSet(set, out.origin);
  if ('errors' in built) return void refuse(problemText(built.errors[0]!, type));
  out.records.push({ name: owner.name, type, ttl, text: built.set.records[0]!.text, line });
}

/** Puts a separate priority before the content. */
function withPriority(type: string, { data, priority }: RawRecord): string {
  const plain = data.trim();
  if (type === 'MX' && !/^\d+\s/.test(plain)) return `${priority?.trim() || '10'} ${plain}`;
  if (type === 'SRV' && priority && plain.split(/\s+/).length === 3) return `${priority.trim()} ${plain}`;
  return plain;
}

const label = (names: string) =>
  new RegExp(`(?:^|[\\s(•*-])(?:${names})\\s*(?:is|to|as|=|:)?\\s*[:=]?\\s*["'\`]?([^\\s"'\`]+)["'\`]?`, 'i');
const nameLabel = label('named|host ?name|host|name|nama|subdomain');
const valueLabel =
  /(?:^|[\s(•*-])(?:value|content|data|points? to|pointing to|target|destination|with the text|containing|nilai|isi)\s*(?:is|of|to|as)?\s*[:=]?\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`|(.+))/i;
const ttlLabel = /\bttl\b\s*(?:is|to|of)?\s*[:=]?\s*(\d+[smhdw]?)/i;
const priorityLabel = /\b(?:priority|preference|prioritas)\b\s*(?:is|to|of)?\s*[:=]?\s*(\d+)/i;
const typeLabel =
  /\b(A|AAAA|CNAME|MX|TXT|SRV|CAA|NS)\b(?=[\s-]*(?:records?\b|$|,|:))|(?:type|tipe|jenis)\s*[:=]?\s*(\w+)/i;

interface ProseRecord {
  readonly line: number;
  type?: string | undefined;
  name?: string | undefined;
  value?: string | undefined;
  ttl?: string | undefined;
  priority?: string | undefined;
}

/** Reads the text of a help page, such as: add a TXT record named _x with the value y. */
function readProse(lines: readonly string[], origin: Name): Read {
  const out: PasteCollector = { records: [], unread: [], origin };
  let open: ProseRecord | undefined;
  const finish = () => {
    if (open?.type && open.value !== undefined)
      collect(
        out,
        { name: open.name ?? '@', type: open.type, ttl: open.ttl, priority: open.priority, data: open.value },
        open.line,
        lines[open.line - 1]!,
      );
    else if (open)
      out.unread.push({
        line: open.line,
        text: lines[open.line - 1]!.trim(),
        reason: messages().pasteReasons.incomplete,
      });
    open = undefined;
  };
  for (const [at, raw] of lines.entries()) {
    const line = readProseLine(raw);
    if (line === '') continue;
    const type = typeLabel.exec(line);
    const kind = type?.[1] ?? type?.[2];
    if (kind && isType(kind) && (open?.type === undefined || open.value !== undefined)) {
      finish();
      open = { line: at + 1, type: kind.toUpperCase() };
    }
    open ??= { line: at + 1 };
    open.name ??= nameLabel.exec(line)?.[1]?.replace(/[,;]$/, '');
    const value = valueLabel.exec(line);
    if (value) open.value ??= (value[1] ?? value[2] ?? value[3] ?? value[4])!.trim().replace(/(?<=\S)[.,]$/, '');
    open.ttl ??= ttlLabel.exec(line)?.[1];
    open.priority ??= priorityLabel.exec(line)?.[1];
  }
  finish();
  return { kind: 'prose', records: out.records, unread: out.unread };
}

/** Secrets that must not be published without a confirmation. */
export function isLikelySecret(type: string, text: string): boolean {
  if (type !== 'TXT' && type !== 'SPF') return false;
  const plain = text.replaceAll(/"\s*"|"/g, '');
  return (
    /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(plain) ||
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/.test(plain) ||
    /\bgh[pousr]_[A-Za-z0-9]{36}\b|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bsk_live_[A-Za-z0-9]{16,}/.test(plain) ||
    /\b(?:password|passwd|secret|kata_sandi)\s*[=:]\s*\S{6,}/i.test(plain) ||
    /\bp=MII(?:E|C[WX])[A-Za-z0-9+/]{300,}/.test(plain)
  );
}
