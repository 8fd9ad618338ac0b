import { DnsError, RecordError } from './error.ts';

/** One word of a master file. `text` keeps its escapes. */
export interface Token {
  readonly text: string;
  /** The whole word was quoted. */
  readonly quoted: boolean;
  /** A quoted part follows an equals sign, as in alpn="h2,h3"; the quotes are removed. */
  readonly pairQuoted: boolean;
}

/** Text that the lexer cannot read; the line is where the problem was found. */
export class LexError extends DnsError {
  override readonly name = 'LexError';
  readonly line: number;
  readonly reason: string;
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/** An entry of a master file: one line, or several held together by parentheses. */
export interface LogicalLine {
  readonly line: number;
  /** The line starts with space: the owner is the previous one. */
  readonly inheritsOwner: boolean;
  readonly tokens: Token[];
  readonly error?: LexError;
}

interface LexOptions {
  /** In a single record a semicolon is more likely a forgotten quote than a comment. */
  readonly comments: 'skip' | 'refuse';
}

/** Limits of one entry, far above what a record needs, so that hostile input cannot fill the memory. */
const MAX_WORD_LENGTH = 300_000;
const MAX_WORDS = 70_000;

const WORD_END = new Set([' ', '\t', '\r', '\n', '(', ')', ';']);

/** RFC 1035 5.1: entries end with the line, except inside quotes and parentheses. Errors keep their line. */
export function* readLogicalLines(text: string, options: LexOptions): Generator<LogicalLine> {
  const lexer = new Lexer(text, options);
  while (!lexer.atEnd) {
    const entry = lexer.entry();
    if (entry.tokens.length > 0 || entry.error) yield entry;
  }
}

class Lexer {
  readonly #text: string;
  readonly #options: LexOptions;
  #at = 0;
  #line = 1;

  constructor(text: string, options: LexOptions) {
    this.#text = text;
    this.#options = options;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  entry(): LogicalLine {
    const line = this.#line;
    const first = this.#text[this.#at];
    const inheritsOwner = first === ' ' || first === '\t';
    const tokens: Token[] = [];
    try {
      this.#words(tokens, line);
      return { line, inheritsOwner, tokens };
    } catch (error) {
      if (!(error instanceof LexError)) throw error;
      this.#skipLine();
      return { line, inheritsOwner, tokens: [], error };
    }
  }

  #words(tokens: Token[], firstLine: number): void {
    let depth = 0;
    while (!this.atEnd) {
      const sign = this.#text[this.#at]!;
      if (sign === '\n') {
        this.#at++;
        this.#line++;
        if (depth === 0) return;
      } else if (sign === ' ' || sign === '\t' || sign === '\r') this.#at++;
      else if (sign === ';') this.#comment();
      else if (sign === '(') {
        depth++;
        this.#at++;
      } else if (sign === ')') {
        if (--depth < 0) throw new LexError(this.#line, 'a closing parenthesis without an opening one');
        this.#at++;
      } else {
        if (tokens.length >= MAX_WORDS) throw new LexError(firstLine, `an entry has more than ${MAX_WORDS} words`);
        tokens.push(sign === '"' ? this.#quoted() : this.#word());
      }
    }
    if (depth > 0) throw new LexError(firstLine, 'a parenthesis is not closed');
  }

  #comment(): void {
    if (this.#options.comments === 'refuse') {
      throw new LexError(this.#line, 'a semicolon outside quotes starts a comment: put the value in quotes');
    }
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #quoted(): Token {
    const text = this.#untilQuote();
    return { text, quoted: true, pairQuoted: false };
  }

  /** Starts on the opening quote; ends after the closing one. */
  #untilQuote(): string {
    const start = this.#at + 1;
    for (let at = start; at < this.#text.length; at++) {
      const sign = this.#text[at];
      if (sign === '\\') at++;
      else if (sign === '\n' || at - start > MAX_WORD_LENGTH) break;
      else if (sign === '"') {
        this.#at = at + 1;
        const text = this.#text.slice(start, at);
        // A line end may follow a backslash; the line count includes it.
        if (text.includes('\n')) this.#line += text.split('\n').length - 1;
        return text;
      }
    }
    throw new LexError(this.#line, 'a quote is not closed');
  }

  #word(): Token {
    let text = '';
    let pairQuoted = false;
    while (!this.atEnd) {
      const sign = this.#text[this.#at]!;
      if (WORD_END.has(sign)) break;
      if (text.length > MAX_WORD_LENGTH)
        throw new LexError(this.#line, `a word is longer than ${MAX_WORD_LENGTH} characters`);
      if (sign === '"') {
        if (!text.endsWith('=') || pairQuoted) throw new LexError(this.#line, 'a word contains a quote');
        text += this.#untilQuote();
        pairQuoted = true;
        continue;
      }
      const length = sign === '\\' ? 2 : 1;
      if (this.#text[this.#at + 1] === '\n' && length === 2)
        throw new LexError(this.#line, 'a backslash ends the line');
      text += this.#text.slice(this.#at, this.#at + length);
      this.#at += length;
    }
    return { text, quoted: false, pairQuoted };
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
    this.#line++;
  }
}

/** Steps through the words of one record and reports a missing or surplus field. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get left(): number {
    return this.#tokens.length - this.#at;
  }

  peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  /** The next word, which may not be a key="value" pair. */
  next(field: string): Token {
    const token = this.pair(field);
    if (token.pairQuoted) throw new RecordError(field, 'a word contains a quote');
    return token;
  }

  /** The next word; key="value" is allowed. */
  pair(field: string): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new RecordError(field, 'is missing');
    this.#at++;
    return token;
  }

  /** The next word, for fields that must not be quoted. */
  word(field: string): string {
    const token = this.next(field);
    return token.text;
  }

  expectEnd(): void {
    const extra = this.#tokens[this.#at];
    if (extra !== undefined) throw new RecordError('rdata', `"${extra.text}" is one value too many`);
  }
}
