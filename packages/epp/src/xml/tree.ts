/** One XML element with its namespace; the only tree that this library reads and writes. */
export type XmlElement = {
  /** Namespace URI, '' for none. */
  readonly ns: string;
  /** Local name. */
  readonly name: string;
  /** Attributes; one with a namespace has the key `{uri}name`. */
  readonly attrs: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
};

export type XmlNode = XmlElement | string;

const NO_ATTRS: Readonly<Record<string, string>> = Object.freeze({});

type Child = XmlNode | undefined | readonly XmlNode[];

/** Builds an element; undefined attributes and children are left out. */
export function element(
  ns: string,
  name: string,
  attrs?: Readonly<Record<string, string | undefined>> | undefined,
  ...children: readonly Child[]
): XmlElement {
  const kept: XmlNode[] = [];
  for (const child of children) {
    if (child === undefined || child === '') continue;
    if (typeof child === 'string' || 'name' in child) kept.push(child as XmlNode);
    else kept.push(...child);
  }
  return { ns, name, attrs: attrs === undefined ? NO_ATTRS : definedOnly(attrs), children: kept };
}

function definedOnly(attrs: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [key, value] of Object.entries(attrs)) if (value !== undefined) out[key] = value;
  return out;
}

export function isElement(node: XmlNode): node is XmlElement {
  return typeof node !== 'string';
}
