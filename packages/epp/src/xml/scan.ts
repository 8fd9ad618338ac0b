import { EppReadError } from '../errors.ts';
import type { XmlElement, XmlNode } from './tree.ts';

/** Prefix to URI: what an element declares, over what stands around it. A chain, because copies of it would grow with the square. */
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

/**
 * Turns a document that libxml2 has parsed and written out again into our tree. Reading its own well-formed output is
 * several times faster than asking for every node across the border of WebAssembly. It is no parser for foreign bytes.
 */
export function scanXml(xml: string): XmlElement {
  const stack: Open[] = [];
  let at = 0;
  for (;;) {
    const open = xml.indexOf('<', at);
    if (open === -1) throw broken('no root element');
    const parent = stack.at(-1);
    if (open > at && parent !== undefined) addText(parent.children, plainText(xml.slice(at, open)));
    const next = xml.charCodeAt(open + 1);
    if (next === 0x3f) at = past(xml, '?>', open);
    else if (next === 0x21) at = scanMarked(xml, open, parent);
    else if (next === 0x2f) {
      at = past(xml, '>', open);
      const done = stack.pop();
      if (done === undefined || xml.slice(open + 2, at - 1).trimEnd() !== done.tag) throw broken('an end tag too many');
      if (stack.length === 0) return done.element;
    } else {
      const started = startElement(xml, open, parent);
      at = started.at;
      parent?.children.push(started.open.element);
      if (!started.empty) stack.push(started.open);
      else if (parent === undefined) return started.open.element;
    }
  }
}

/** Comments are passed over, CDATA is text. */
function scanMarked(xml: string, open: number, parent: Open | undefined): number {
  if (xml.startsWith('<!--', open)) return past(xml, '-->', open + 4);
  if (!xml.startsWith('<![CDATA[', open) || parent === undefined) throw broken('a declaration');
  const end = past(xml, ']]>', open);
  addText(parent.children, xml.slice(open + 9, end - 3));
  return end;
}

function startElement(xml: string, open: number, parent: Open | undefined): { open: Open; empty: boolean; at: number } {
  const outer = parent?.scope ?? ROOT_SCOPE;
  const nameEnd = endOfName(xml, open + 1);
  const tag = xml.slice(open + 1, nameEnd);
  const raw: [string, string][] = [];
  let declared: Map<string, string> | undefined;
  let at = nameEnd;
  for (;;) {
    at = skipSpace(xml, at);
    const char = xml.charCodeAt(at);
    if (char === 0x3e || char === 0x2f) break;
    const equals = xml.indexOf('=', at);
    const quote = xml.charAt(equals + 1);
    const close = equals === -1 ? -1 : xml.indexOf(quote, equals + 2);
    if (close === -1) throw broken('an attribute without end');
    const name = xml.slice(at, equals);
    const value = plainText(xml.slice(equals + 2, close));
    at = close + 1;
    if (name === 'xmlns' || name.startsWith('xmlns:')) {
      declared ??= new Map();
      declared.set(name === 'xmlns' ? '' : name.slice(6), value);
    } else raw.push([name, value]);
  }
  const empty = xml.charCodeAt(at) === 0x2f;
  const children: XmlNode[] = [];
  const colon = tag.indexOf(':');
  const scope = declared === undefined ? outer : { own: declared, outer };
  const ns = namespaceOf(scope, colon === -1 ? '' : tag.slice(0, colon));
  const element = { ns, name: tag.slice(colon + 1), attrs: attributes(raw, scope), children };
  return { open: { tag, element, children, scope }, empty, at: at + (empty ? 2 : 1) };
}

function namespaceOf(scope: Scope, prefix: string): string {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const found = at.own.get(prefix);
    if (found !== undefined) return found;
  }
  return '';
}

function attributes(raw: readonly [string, string][], scope: Scope): Record<string, string> {
  const attrs: Record<string, string> = {};
  for (const [name, value] of raw) {
    const colon = name.indexOf(':');
    const ns = colon === -1 ? '' : namespaceOf(scope, name.slice(0, colon));
    attrs[ns === '' ? name.slice(colon + 1) : `{${ns}}${name.slice(colon + 1)}`] = value;
  }
  return attrs;
}

function endOfName(xml: string, from: number): number {
  let at = from;
  while (at < xml.length) {
    const char = xml.charCodeAt(at);
    if (char === 0x3e || char === 0x2f || char === 0x20 || char === 0x0a || char === 0x09 || char === 0x0d) return at;
    at += 1;
  }
  throw broken('a tag without end');
}

function skipSpace(xml: string, from: number): number {
  let at = from;
  while (at < xml.length && xml.charCodeAt(at) <= 0x20) at += 1;
  if (at >= xml.length) throw broken('a tag without end');
  return at;
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

function past(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from);
  if (found === -1) throw broken(`${mark} is missing`);
  return found + mark.length;
}

function broken(detail: string): EppReadError {
  return new EppReadError('xml', `not well-formed: ${detail}`);
}
