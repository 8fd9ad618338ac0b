import { NameError } from './error.ts';
import { plainDots, toAsciiLabel } from './idn.ts';
import { latin1Text, utf8Octets } from './octets.ts';

/** An absolute domain name as text: trailing dot, canonical escapes ("www.example.com.", "." for the root). */
export type Name = string;

export const MAX_NAME_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;
export const ROOT: Name = '.';

export interface NameContext {
  /** The name to which relative names are completed. */
  readonly origin?: Name;
  /**
   * How a name without a trailing dot is read. `relative`: the rule of master files.
   * `absolute-if-dotted`: input of users in forms; "mail.example.net" is complete, "mail" is below the origin.
   */
  readonly dotless?: 'relative' | 'absolute-if-dotted';
}

const DOT = 0x2e;
const BACKSLASH = 0x5c;
const PLAIN_TEXT = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/;
// Knot reads only these without an escape, and every other reader accepts unnecessary escapes.
const NEEDS_ESCAPE = /[^A-Za-z0-9_*\-/]/;
// RFC 1035 5.1: characters with a meaning in master files are escaped. "[" is not: BIND reads "\[" as a bit string label.
const BACKSLASHED = new Set([...'."\\;()@$']);

/** Reads a name from a form or a master file: completed, lower-cased, international labels as A-labels. */
export function parseName(text: string, context: NameContext = {}): Name {
  if (text === '') throw new NameError('the name is empty');
  if (text === '.') return ROOT;
  if (text === '@') return originOf(context);
  const lower = lowerName(text);
  if (PLAIN_TEXT.test(lower)) return measured(complete(lower, lower.includes('.', 0), context));
  const labels = splitLabels(plainDots(lower));
  const absolute = labels.at(-1)?.length === 0;
  if (absolute) labels.pop();
  if (labels.length === 0 || labels.some((label) => label.length === 0)) throw new NameError('a label is empty');
  const joined = labels.map((label) => labelText(Uint8Array.from(label))).join('.');
  const name = absolute ? `${joined}.` : complete(joined, labels.length > 1, context);
  return measured(lowerName(name));
}

function originOf(context: NameContext): Name {
  if (context.origin === undefined) throw new NameError('the name is relative and no origin is known');
  return context.origin;
}

function complete(text: string, dotted: boolean, context: NameContext): Name {
  if (text.endsWith('.') && !endsEscaped(text)) return text;
  if (dotted && context.dotless === 'absolute-if-dotted') return `${text}.`;
  const origin = originOf(context);
  return origin === ROOT ? `${text}.` : `${text}.${origin}`;
}

function endsEscaped(text: string): boolean {
  return backslashesBefore(text, text.length - 1) % 2 === 1;
}

function backslashesBefore(text: string, index: number): number {
  let count = 0;
  while (index - 1 - count >= 0 && text.charCodeAt(index - 1 - count) === BACKSLASH) count++;
  return count;
}

function measured(name: Name): Name {
  nameToWire(name);
  return name;
}

/** Splits on unescaped dots; a trailing dot gives an empty last label. */
function splitLabels(text: string): number[][] {
  const labels: number[][] = [];
  let octets: number[] = [];
  let letters = '';
  let foreign = false;
  let escaped = false;
  const endLabel = () => {
    if (foreign && escaped) throw new NameError('a label mixes other letters with escapes');
    labels.push(foreign ? [...utf8Octets(toAsciiLabel(letters))] : octets);
    octets = [];
    letters = '';
    foreign = false;
    escaped = false;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      endLabel();
      continue;
    }
    letters += text[at];
    if (code === BACKSLASH) {
      const escaping = readEscape(text, at);
      octets.push(escaping.octet);
      at += escaping.length - 1;
      escaped = true;
    } else if (code > 0x7f) foreign = true;
    else if (code <= 0x20 || code === 0x7f)
      throw new NameError('the name must not contain a space or control character');
    else octets.push(code);
  }
  endLabel();
  return labels;
}

/** RFC 1035 5.1: \DDD is an octet in decimal, \X is X itself. */
export function readEscape(text: string, at: number): { octet: number; length: number } {
  const digits = text.slice(at + 1, at + 4);
  if (/^\d{3}$/.test(digits)) {
    const octet = Number(digits);
    if (octet > 255) throw new NameError(`escape \\${digits} is over 255`);
    return { octet, length: 4 };
  }
  const code = text.charCodeAt(at + 1);
  if (Number.isNaN(code)) throw new NameError('the name ends with a backslash');
  if (code >= 0x30 && code <= 0x39) throw new NameError('a numeric escape needs three digits');
  if (code > 0x7e || code < 0x20) throw new NameError('a backslash escapes only printable ASCII');
  return { octet: code, length: 2 };
}

export function nameToWire(name: Name): Uint8Array {
  if (name === ROOT) return new Uint8Array(1);
  const out = new Uint8Array(name.length + 1);
  let lengthAt = 0;
  let at = 1;
  for (let index = 0; index < name.length; index++) {
    let code = name.charCodeAt(index);
    if (code === DOT) {
      const length = at - lengthAt - 1;
      if (length === 0) throw new NameError('a label is empty');
      if (length > MAX_LABEL_OCTETS) throw new NameError(`a label is longer than ${MAX_LABEL_OCTETS} octets`);
      out[lengthAt] = length;
      lengthAt = at++;
      continue;
    }
    if (code === BACKSLASH) {
      const escaping = readEscape(name, index);
      code = escaping.octet;
      index += escaping.length - 1;
    } else if (code > 0x7f) throw new NameError('the name contains a character that is not ASCII');
    out[at++] = code;
  }
  if (at !== lengthAt + 1) throw new NameError('the name has no trailing dot');
  if (at > MAX_NAME_OCTETS) throw new NameError(`the name is longer than ${MAX_NAME_OCTETS} octets`);
  out[lengthAt] = 0;
  return out.subarray(0, at);
}

/** One label as text with canonical escapes. */
export function labelText(octets: Uint8Array): string {
  const plain = latin1Text(octets);
  if (!NEEDS_ESCAPE.test(plain)) return plain;
  let text = '';
  for (const octet of octets) {
    const sign = String.fromCharCode(octet);
    if (BACKSLASHED.has(sign)) text += `\\${sign}`;
    else text += NEEDS_ESCAPE.test(sign) ? `\\${String(octet).padStart(3, '0')}` : sign;
  }
  return text;
}

/** An uncompressed wire name as text; the case is kept. */
export function wireToName(wire: Uint8Array): Name {
  if (wire[0] === 0) return ROOT;
  let text = '';
  for (let at = 0; at < wire.length; ) {
    const length = wire[at]!;
    if (length === 0) return text;
    text += `${labelText(wire.subarray(at + 1, at + 1 + length))}.`;
    at += length + 1;
  }
  throw new NameError('the wire name has no end');
}

/** Labels as text with escapes, leftmost first; none for the root. */
export function labelsOf(name: Name): string[] {
  if (name === ROOT) return [];
  if (!name.includes('\\')) return name.slice(0, -1).split('.');
  const labels: string[] = [];
  let start = 0;
  for (let at = 0; at < name.length; at++) {
    if (name.charCodeAt(at) === BACKSLASH) at++;
    else if (name.charCodeAt(at) === DOT) {
      labels.push(name.slice(start, at));
      start = at + 1;
    }
  }
  return labels;
}

export function parentOf(name: Name): Name | undefined {
  if (name === ROOT) return undefined;
  let dot = name.indexOf('.');
  while (dot >= 0 && backslashesBefore(name, dot) % 2 === 1) dot = name.indexOf('.', dot + 1);
  return dot < 0 || dot === name.length - 1 ? ROOT : name.slice(dot + 1);
}

/** RFC 4343: only ASCII letters are folded. */
export function lowerName(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}

/** True also for equal names. Case is ignored. */
export function isSubdomain(child: Name, parent: Name): boolean {
  if (parent === ROOT) return true;
  const low = lowerName(child);
  const top = lowerName(parent);
  if (low === top) return true;
  if (!low.endsWith(`.${top}`)) return false;
  return backslashesBefore(low, low.length - top.length - 1) % 2 === 0;
}

/** "@" for the origin itself, a relative name below it, the absolute name outside it. */
export function relativeTo(name: Name, origin: Name): string {
  if (lowerName(name) === lowerName(origin)) return '@';
  if (!isSubdomain(name, origin)) return name;
  return origin === ROOT ? name.slice(0, -1) : name.slice(0, -origin.length - 1);
}
