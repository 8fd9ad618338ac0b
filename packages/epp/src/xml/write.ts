import { EppInputError } from '../errors.ts';
import { isElement, type XmlElement } from './tree.ts';

// XML 1.0 section 2.2 Char: other characters cannot be written, not even as a reference.
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const NAME = /^[A-Za-z_][\w.-]*$/;

const TEXT_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
const ATTR_ESCAPES: Readonly<Record<string, string>> = {
  ...TEXT_ESCAPES,
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function escapeText(text: string): string {
  refuseIllegal(text);
  return text.replace(/[&<>\r]/g, (char) => TEXT_ESCAPES[char] as string);
}

function escapeAttribute(text: string): string {
  refuseIllegal(text);
  return text.replace(/[&<>"\r\n\t]/g, (char) => ATTR_ESCAPES[char] as string);
}

function refuseIllegal(text: string): void {
  if (ILLEGAL.test(text)) throw new EppInputError('text', 'a character that XML 1.0 does not allow');
}

/** Prefix by namespace URI. The namespace of the root element is the default namespace. */
export type PrefixHints = Readonly<Record<string, string>>;

/** Prefix by namespace URI in scope; '' is the default namespace. */
type Scope = ReadonlyMap<string, string>;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>';

export function writeXml(root: XmlElement, hints: PrefixHints): string {
  return DECLARATION + writeElement(root, new Map(), hints, '');
}

/** Writes one element without the XML declaration. */
export function writeFragment(root: XmlElement, hints: PrefixHints): string {
  return writeElement(root, new Map(), hints, '');
}

function writeElement(el: XmlElement, outer: Scope, hints: PrefixHints, outerDefault: string): string {
  refuseName(el.name);
  let scope = outer;
  let defaultNs = outerDefault;
  let declarations = '';
  let prefix = outer.get(el.ns);
  const declare = (ns: string, wanted: string): string => {
    const next = new Map(scope);
    for (const [uri, used] of next) if (used === wanted) next.delete(uri);
    next.set(ns, wanted);
    scope = next;
    declarations += wanted === '' ? ` xmlns="${escapeAttribute(ns)}"` : ` xmlns:${wanted}="${escapeAttribute(ns)}"`;
    return wanted;
  };
  if (el.ns === '') {
    prefix = '';
    if (defaultNs !== '') declare('', '');
    defaultNs = '';
  } else if (prefix === undefined) {
    prefix = declare(el.ns, outer.size === 0 ? '' : (hints[el.ns] ?? freePrefix(scope)));
    if (prefix === '') defaultNs = el.ns;
  }
  let attributes = '';
  for (const [key, value] of Object.entries(el.attrs)) {
    attributes += ` ${attributeName(key, scope, declare, hints)}="${escapeAttribute(value)}"`;
  }
  const tag = prefix === '' ? el.name : `${prefix}:${el.name}`;
  if (el.children.length === 0) return `<${tag}${declarations}${attributes}/>`;
  let inner = '';
  for (const child of el.children) {
    inner += isElement(child) ? writeElement(child, scope, hints, defaultNs) : escapeText(child);
  }
  return `<${tag}${declarations}${attributes}>${inner}</${tag}>`;
}

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

function attributeName(
  key: string,
  scope: Scope,
  declare: (ns: string, prefix: string) => string,
  hints: PrefixHints,
): string {
  const close = key.startsWith('{') ? key.indexOf('}') : -1;
  const name = key.slice(close + 1);
  refuseName(name);
  if (close === -1) return name;
  const ns = key.slice(1, close);
  if (ns === XML_NAMESPACE) return `xml:${name}`;
  const known = scope.get(ns);
  // An attribute without a prefix has no namespace, so the default namespace cannot be used for it.
  const prefix = known !== undefined && known !== '' ? known : declare(ns, hints[ns] ?? freePrefix(scope));
  return `${prefix}:${name}`;
}

function freePrefix(scope: Scope): string {
  const used = new Set(scope.values());
  let number = 1;
  while (used.has(`ns${number}`)) number += 1;
  return `ns${number}`;
}

function refuseName(name: string): void {
  if (!NAME.test(name) && !isXmlName(name)) throw new EppInputError('element', 'a name that XML does not allow');
}

function isXmlName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{M}\p{N}_.\-·]*$/u.test(name);
}
