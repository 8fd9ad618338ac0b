import { EppReadError } from '../errors.ts';
import type { XmlElement, XmlNode } from './tree.ts';

/** Prefix to URI: the declarations of an element over those of its parents. A chain, because copies would take quadratic memory. */
type Scope = { readonly own: ReadonlyMap<string, string>; readonly outer: Scope | undefined };
type Open = { readonly tag: string; readonly element: XmlElement; readonly children: XmlNode[]; readonly scope: Scope };

const ROOT_SCOPE: Scope = {
  own: new Map([
    ['', ''],
    ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ]),
  outer: undefined,
};
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** libxml2 validates namespace URIs; these forms are known to be valid. Two URIs must not be declared. */
const PLAIN_URI =
  /^(?:urn:[a-z]+:[\w:.-]+|http:\/\/(?!www\.w3\.org\/(?:XML\/1998\/namespace|2000\/xmlns\/))[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+\/[\w/.-]+#?)$/;
/** The prefix `xml` has rules of its own. */
const PLAIN_PREFIX = /^xmlns:(?!xml)[A-Za-z_][\w.-]*$/;
const PLAIN_NAME = /^(?!xml)[A-Za-z_][\w.-]*(?::(?!xml)[A-Za-z_][\w.-]*)?$/;
/** Whitespace in a value would be normalised. */
const isPlainAttribute = (name: string, value: string): boolean =>
  isDeclaration(name)
    ? PLAIN_URI.test(value) && (name === 'xmlns' || PLAIN_PREFIX.test(name))
    : PLAIN_NAME.test(name) && !/[<\t\n]/.test(value);

const PLAIN_PROLOG = /^<\?xml version="1\.0"(?: encoding="[Uu][Tt][Ff]-8")?(?: standalone="(?:yes|no)")?[ \t\n]*\?>/;
/**
 * Characters that XML forbids, line ends that it normalises, the sequence that text must not contain, references other than the five
 * predefined ones.
 */
const NOT_PLAIN = /[\0-\x08\x0b-\x1f\ufffe\uffff]|\]\]>|&(?!(?:lt|gt|amp|quot|apos);)/;
const PLAIN_LENGTH = 40_000;
const PLAIN_DEPTH = 100;

/**
 * Reads the simple subset that most registries write: no comments, no CDATA, ASCII names, namespaces of the usual form. Undefined for
 * other and malformed documents, which libxml2 parses. For the subset, libxml2 gives the same result.
 */
export function scanPlain(xml: string): XmlElement | undefined {
  if (xml.length > PLAIN_LENGTH || NOT_PLAIN.test(xml)) return undefined;
  const root = scan(xml, PLAIN_PROLOG.exec(xml)?.[0].length ?? 0, true);
  return root && isBlank(xml.slice(root.at)) ? root.element : undefined;
}

/** Reads the output of libxml2. This is several times faster than querying each node across the WebAssembly boundary. */
export function scanRewritten(xml: string): XmlElement {
  const root = scan(xml, 0, false);
  if (root === undefined) throw new EppReadError('xml', 'not well-formed');
  return root.element;
}

/** The root and its end. */
function scan(xml: string, from: number, isPlain: boolean): { element: XmlElement; at: number } | undefined {
  const stack: Open[] = [];
  let at = from;
  for (;;) {
    const open = xml.indexOf('<', at);
    if (open === -1) return undefined;
    const parent = stack.at(-1);
    if (open > at) {
      const text = xml.slice(at, open);
      if (parent !== undefined) addText(parent.children, plainText(text));
      else if (!isBlank(text)) return undefined;
    }
    const next = xml.charCodeAt(open + 1);
    if (next === 0x2f && parent !== undefined) {
      at = endOf(xml, open, parent.tag);
      if (at === -1) return undefined;
      stack.pop();
      if (stack.length === 0) return { element: parent.element, at };
    } else if (!isPlain && (next === 0x21 || next === 0x3f)) {
      at = pastMarked(xml, open);
      if (at === -1) return undefined;
    } else {
      const started = startElement(xml, open, parent?.scope ?? ROOT_SCOPE, isPlain);
      if (started === undefined || (isPlain && stack.length >= PLAIN_DEPTH)) return undefined;
      at = started.at;
      parent?.children.push(started.open.element);
      if (xml.charCodeAt(at - 2) !== 0x2f) stack.push(started.open);
      else if (parent === undefined) return { element: started.open.element, at };
    }
  }
}

/** The position after the end tag of this name; -1 if it is another's. */
function endOf(xml: string, open: number, tag: string): number {
  if (!xml.startsWith(tag, open + 2)) return -1;
  const close = xml.indexOf('>', open);
  const behind = open + 2 + tag.length;
  return close === behind || (close > behind && isBlank(xml.slice(behind, close))) ? close + 1 : -1;
}

const isBlank = (text: string): boolean => !/[^ \t\n]/.test(text);

/** Comments and processing instructions are skipped. */
function pastMarked(xml: string, open: number): number {
  const isComment = xml.startsWith('<!--', open);
  if (!isComment && xml.charCodeAt(open + 1) === 0x21) return -1;
  const mark = isComment ? '-->' : '?>';
  const found = xml.indexOf(mark, open + (isComment ? 4 : 2));
  return found === -1 ? -1 : found + mark.length;
}

/** The element at this position and the end of its start tag. */
function startElement(
  xml: string,
  open: number,
  outer: Scope,
  isPlain: boolean,
): { open: Open; at: number } | undefined {
  const nameEnd = endOfName(xml, open + 1);
  const tag = xml.slice(open + 1, nameEnd);
  if (tag === '' || (isPlain && !PLAIN_NAME.test(tag))) return undefined;
  const pairs: Pair[] = [];
  const at = readPairs(xml, nameEnd, isPlain, pairs);
  if (at === -1) return undefined;
  const attrs: Record<string, string> = {};
  const scope = pairs.length === 0 ? outer : scopeOf(pairs, outer);
  if (scope === undefined || !fill(attrs, pairs, scope)) return undefined;
  const colon = tag.indexOf(':');
  const ns = namespaceOf(scope, colon === -1 ? '' : tag.slice(0, colon));
  if (ns === undefined) return undefined;
  const children: XmlNode[] = [];
  const element = { ns, name: colon === -1 ? tag : tag.slice(colon + 1), attrs, children };
  return { open: { tag, element, children, scope }, at };
}

function endOfName(xml: string, from: number): number {
  let at = from;
  for (; at < xml.length; at += 1) {
    const char = xml.charCodeAt(at);
    if (char <= 0x20 || char === 0x3e || char === 0x2f || char === 0x3d) break;
  }
  return at;
}

type Pair = readonly [name: string, value: string];

/** The position after the `>` of the tag; -1 if it is malformed. */
function readPairs(xml: string, from: number, isPlain: boolean, pairs: Pair[]): number {
  for (let at = from; ; ) {
    const begin = pastBlanks(xml, at);
    const char = xml.charCodeAt(begin);
    if (char === 0x3e) return begin + 1;
    if (char === 0x2f) return xml.charCodeAt(begin + 1) === 0x3e ? begin + 2 : -1;
    const equals = endOfName(xml, begin);
    const quote = xml.charAt(equals + 1);
    const close = quote === '"' || quote === "'" ? xml.indexOf(quote, equals + 2) : -1;
    if (begin === at || equals === begin || xml.charCodeAt(equals) !== 0x3d || close === -1) return -1;
    const name = xml.slice(begin, equals);
    const value = xml.slice(equals + 2, close);
    if (isPlain && !isPlainAttribute(name, value)) return -1;
    pairs.push([name, plainText(value)]);
    at = close + 1;
  }
}

function pastBlanks(xml: string, from: number): number {
  let at = from;
  for (let char = xml.charCodeAt(at); char === 0x20 || char === 0x0a || char === 0x09; char = xml.charCodeAt(at))
    at += 1;
  return at;
}

const isDeclaration = (name: string): boolean => name === 'xmlns' || name.startsWith('xmlns:');

/** Undefined if a prefix is declared twice. */
function scopeOf(pairs: readonly Pair[], outer: Scope): Scope | undefined {
  let declared: Map<string, string> | undefined;
  for (const [name, uri] of pairs) {
    if (!isDeclaration(name)) continue;
    const prefix = name.slice(6);
    if (declared?.has(prefix)) return undefined;
    declared ??= new Map();
    declared.set(prefix, uri);
  }
  return declared ? { own: declared, outer } : outer;
}

function namespaceOf(scope: Scope, prefix: string): string | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const found = at.own.get(prefix);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** False if an attribute is a duplicate or its namespace is not declared. */
function fill(attrs: Record<string, string>, pairs: readonly Pair[], scope: Scope): boolean {
  for (const [name, value] of pairs) {
    if (isDeclaration(name)) continue;
    const colon = name.indexOf(':');
    const ns = colon === -1 ? '' : namespaceOf(scope, name.slice(0, colon));
    const key = ns ? `{${ns}}${name.slice(colon + 1)}` : name.slice(colon + 1);
    if (ns === undefined || Object.hasOwn(attrs, key)) return false;
    attrs[key] = value;
  }
  return true;
}

function addText(children: XmlNode[], text: string): void {
  const last = children.length - 1;
  if (typeof children[last] === 'string') children[last] += text;
  else children.push(text);
}

function plainText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9A-Fa-f]+|#[0-9]+|\w+);/g, (_whole, name: string) => {
    if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)));
    const known = ENTITIES[name];
    if (known === undefined) throw new EppReadError('unsafe', 'an entity reference is not allowed');
    return known;
  });
}
