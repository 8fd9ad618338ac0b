import { MAX_TTL_SECONDS, parseDuration } from './duration.ts';
import { NameError, RecordError } from './error.ts';
import { type Name, type NameContext, parseName } from './name.ts';
import { textOfOctets } from './octet-text.ts';
import { recordFromTokens } from './record.ts';
import { checkRRset, DEFAULT_RRSET_LIMITS, type RRset, type RRsetLimits, warnRRset, zoneType } from './rrset.ts';
import { type LogicalLine, readLogicalLines, type Token } from './token.ts';
import { type FileEntry, RRsetCollector } from './zone-file-collect.ts';

interface ZoneFileProblem {
  readonly line: number;
  readonly field: string;
  readonly reason: string;
}

interface ZoneFileResult {
  readonly rrsets: readonly RRset[];
  readonly errors: readonly ZoneFileProblem[];
  readonly warnings: readonly ZoneFileProblem[];
  /** The line on which an RRset begins, by `name type`. */
  readonly lines: ReadonlyMap<string, number>;
}

interface ZoneFileOptions {
  readonly origin: Name;
  /** For records without a TTL in a file without $TTL. Default: the minimum of the SOA. */
  readonly defaultTtlSeconds?: number;
  /**
   * How names without a final dot are read up to a $ORIGIN. `absolute-if-dotted`: as users enter them in forms. A name that ends with
   * the zone is complete too. Default: `relative`, as in master files.
   */
  readonly dotless?: NameContext['dotless'];
  readonly limits?: RRsetLimits;
  /** Reading stops after this many errors, so that a wrong kind of file does not produce an error per line. */
  readonly maxErrors?: number;
  /** The number of warnings that are kept; the last one counts the others. */
  readonly maxWarnings?: number;
  /** Reading stops above this number of records. */
  readonly maxRecords?: number;
  /** Types that are omitted with a warning, because the signer creates them again. */
  readonly dropTypes?: ReadonlySet<string>;
}

const DEFAULT_MAX_ERRORS = 100;
const DEFAULT_MAX_WARNINGS = 1_000;
const CLASSES = new Set(['IN', 'CH', 'HS', 'CS', 'NONE', 'ANY']);

/**
 * Reads a master file (RFC 1035 5). Every invalid line is reported; valid lines are returned in RRsets all the same. Octets are
 * preserved.
 */
export function readZoneFile(file: string | Uint8Array, options: ZoneFileOptions): ZoneFileResult {
  const reading = new ZoneFileReading(options);
  const text = typeof file === 'string' ? file : textOfOctets(file);
  const stop = (line: number, reason: string) => reading.errors.push({ line, field: 'file', reason });
  for (const entry of readLogicalLines(text.replace(/^\ufeff/, ''), { comments: 'skip' })) {
    reading.entry(entry);
    if (reading.errors.length >= reading.maxErrors) {
      stop(entry.line, 'too many errors, reading stopped');
      break;
    }
    if (reading.recordCount > (options.maxRecords ?? Number.POSITIVE_INFINITY)) {
      stop(entry.line, `more than ${options.maxRecords} records, reading stopped`);
      break;
    }
  }
  return reading.finish();
}

class ZoneFileReading {
  readonly errors: ZoneFileProblem[] = [];
  readonly #warnings: ZoneFileProblem[] = [];
  readonly #collector = new RRsetCollector();
  readonly #dropTypes: ReadonlySet<string>;
  readonly #dropped = new Map<string, { line: number; count: number }>();
  readonly maxErrors: number;
  readonly #maxWarnings: number;
  #moreWarnings = 0;
  recordCount = 0;
  readonly #limits: RRsetLimits;
  readonly #zone: Name;
  #origin: Name;
  #dotless: 'relative' | 'absolute-if-dotted';
  #defaultTtl: number | undefined;
  #lastTtl: number | undefined;
  #owner: Name | undefined;

  constructor(options: ZoneFileOptions) {
    this.#zone = options.origin;
    this.#origin = options.origin;
    this.#dotless = options.dotless ?? 'relative';
    this.#defaultTtl = options.defaultTtlSeconds;
    this.#dropTypes = options.dropTypes ?? new Set();
    this.maxErrors = options.maxErrors ?? DEFAULT_MAX_ERRORS;
    this.#maxWarnings = options.maxWarnings ?? DEFAULT_MAX_WARNINGS;
    this.#limits = options.limits ?? DEFAULT_RRSET_LIMITS;
  }

  entry(entry: LogicalLine): void {
    if (entry.error) {
      this.errors.push({ line: entry.error.line, field: 'line', reason: entry.error.reason });
      return;
    }
    try {
      const first = entry.tokens[0]!;
      if (!entry.inheritsOwner && !first.quoted && first.text.startsWith('$')) this.#directive(entry.tokens);
      else this.#record(entry);
    } catch (error) {
      if (error instanceof RecordError)
        this.errors.push({ line: entry.line, field: error.field, reason: error.reason });
      else if (error instanceof NameError) this.errors.push({ line: entry.line, field: 'name', reason: error.reason });
      else throw error;
    }
  }

  #directive(tokens: readonly Token[]): void {
    const [name, value, ...rest] = tokens.map((token) => token.text);
    const directive = name!.toUpperCase();
    if (directive !== '$ORIGIN' && directive !== '$TTL')
      throw new RecordError(name!, 'this directive is not supported');
    if (value === undefined || rest.length > 0) throw new RecordError(name!, 'takes exactly one value');
    if (directive === '$ORIGIN') {
      this.#origin = parseName(value, { origin: this.#origin });
      this.#dotless = 'relative';
    } else this.#defaultTtl = ttlOf(value) ?? refuse('$TTL', `"${value}" is not a TTL`);
  }

  #record(entry: LogicalLine): void {
    const tokens = [...entry.tokens];
    if (!entry.inheritsOwner) {
      // Kept even if the rest of the line is invalid, so that later lines have their owner.
      this.#owner = undefined;
      this.#owner = this.#ownerName(tokens.shift()!.text);
    }
    const owner = this.#owner ?? refuse('name', 'there is no owner name before this line');
    const ttl = this.#ttlAndClass(tokens);
    const type = zoneType(typeToken(tokens.shift()), this.#limits);
    if (this.#drop(type, entry.line)) return;
    const record = recordFromTokens(type, tokens, { origin: this.#origin, dotless: this.#dotless });
    if (ttl !== undefined) this.#lastTtl = ttl;
    const entryTtl = ttl ?? this.#defaultTtl ?? this.#lastTtl;
    const warn = (field: string, reason: string) => this.#warn({ line: entry.line, field, reason });
    for (const warning of record.warnings) warn(warning.field, warning.reason);
    const placed: FileEntry = {
      line: entry.line,
      name: owner,
      type,
      ttl: entryTtl,
      record: { text: record.text, wire: record.wire },
    };
    this.recordCount++;
    const note = this.#collector.add(placed);
    if (note !== undefined) warn('records', note);
  }

  #ownerName(text: string): Name {
    const isComplete = this.#dotless === 'absolute-if-dotted' && `.${text.toLowerCase()}.`.endsWith(`.${this.#zone}`);
    return parseName(isComplete ? `${text}.` : text, { origin: this.#origin });
  }

  #drop(type: string, line: number): boolean {
    if (!this.#dropTypes.has(type)) return false;
    const before = this.#dropped.get(type);
    this.#dropped.set(type, { line: before?.line ?? line, count: (before?.count ?? 0) + 1 });
    return true;
  }

  #warn(warning: ZoneFileProblem): void {
    if (this.#warnings.length < this.#maxWarnings) this.#warnings.push(warning);
    else this.#moreWarnings++;
  }

  /** RFC 1035 5.1: TTL and class may come in either order. */
  #ttlAndClass(tokens: Token[]): number | undefined {
    let ttl: number | undefined;
    let sawClass = false;
    while (tokens.length > 0) {
      const word = tokens[0]!.text.toUpperCase();
      if (!sawClass && CLASSES.has(word) && tokens.length > 1) {
        if (word !== 'IN') throw new RecordError('class', `class ${word} is not supported, only IN`);
        sawClass = true;
      } else if (ttl === undefined && /^\d/.test(word)) ttl = ttlOf(word) ?? refuse('ttl', `"${word}" is not a TTL`);
      else break;
      tokens.shift();
    }
    return ttl;
  }

  finish(): ZoneFileResult {
    const rrsets: RRset[] = [];
    const lines = new Map<string, number>();
    for (const { rrset, line } of this.#collector.rrsets(this.#defaultTtl)) {
      if (rrset.ttl === undefined) {
        if (this.errors.length < this.maxErrors)
          this.errors.push({ line, field: 'ttl', reason: 'no TTL here, no $TTL before and no SOA' });
        continue;
      }
      const complete = { ...rrset, ttl: rrset.ttl };
      const problems = checkRRset(complete, this.#zone, this.#limits);
      if (this.errors.length < this.maxErrors) for (const problem of problems) this.errors.push({ line, ...problem });
      if (problems.length > 0) continue;
      for (const warning of warnRRset(complete)) this.#warn({ line, ...warning });
      rrsets.push(complete);
      lines.set(`${complete.name} ${complete.type}`, line);
    }
    const warnings = this.#finalWarnings();
    const byLine = (a: ZoneFileProblem, b: ZoneFileProblem) => a.line - b.line;
    return { rrsets, errors: this.errors.sort(byLine), warnings: warnings.sort(byLine), lines };
  }

  #finalWarnings(): ZoneFileProblem[] {
    const dropped = [...this.#dropped].map(([type, { line, count }]) => ({
      line,
      field: 'type',
      reason: `${count} ${type} ${count === 1 ? 'record' : 'records'} dropped: the signer creates them again`,
    }));
    const more = { line: Number.MAX_SAFE_INTEGER, field: 'file', reason: `and ${this.#moreWarnings} more warnings` };
    return [...this.#warnings, ...dropped, ...(this.#moreWarnings > 0 ? [more] : [])];
  }
}

function refuse(field: string, reason: string): never {
  throw new RecordError(field, reason);
}

function ttlOf(text: string): number | undefined {
  const seconds = parseDuration(text);
  if (seconds !== undefined && seconds > MAX_TTL_SECONDS) refuse('ttl', `${text} is over ${MAX_TTL_SECONDS} seconds`);
  return seconds;
}

function typeToken(token: Token | undefined): string {
  if (token === undefined) refuse('type', 'is missing');
  return token.quoted ? refuse('type', `"${token.text}" is not a record type`) : token.text;
}
