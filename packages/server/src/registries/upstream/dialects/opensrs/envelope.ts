import { EppError, element, isElement, parseXml, writeXml, type XmlElement, type XmlNode } from '@namehold/epp';

/** Data of the OPS protocol: texts, lists (`dt_array`) and maps (`dt_assoc`). */
export type OpsData = string | readonly OpsData[] | OpsMap;
export interface OpsMap {
  readonly [key: string]: OpsData;
}

/** An answer that is not an OPS envelope. */
export class UnreadableEnvelope extends Error {
  override name = 'UnreadableEnvelope';
}

/** In addition to the limits of the XML parser on the size and the number of tags. */
const limits = { depth: 12, items: 5_000 };

const documentType = '<!DOCTYPE OPS_envelope SYSTEM "ops.dtd">';

export function writeEnvelope(data: OpsMap): string {
  const root = element(
    '',
    'OPS_envelope',
    undefined,
    element('', 'header', undefined, element('', 'version', undefined, '0.9')),
    element('', 'body', undefined, element('', 'data_block', undefined, write(data) as XmlElement)),
  );
  return writeXml(root, {}).replace('?>', () => `?>\n${documentType}\n`);
}

function write(data: OpsData): XmlNode {
  if (typeof data === 'string') return data;
  const name = Array.isArray(data) ? 'dt_array' : 'dt_assoc';
  return element(
    '',
    name,
    undefined,
    Object.entries(data).map(([key, value]: [string, OpsData]) => element('', 'item', { key }, write(value))),
  );
}

/** The prolog that OpenSRS sends. Another document type stays in the text, and the parser refuses it. */
const prolog =
  /^\s*(?:<\?xml\s+version\s*=\s*(["'])1\.0\1(?:\s+encoding\s*=\s*(["'])utf-8\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>\s*)?(?:<!DOCTYPE\s+OPS_envelope\s+SYSTEM\s+(["'])ops\.dtd\4\s*>\s*)?/i;

/** Throws `UnreadableEnvelope` for everything else. */
export function readEnvelope(text: string): OpsMap {
  const xml = text.replace(prolog, '');
  // The text is decoded already, so another encoding would be read wrongly.
  if (xml.startsWith('<?')) throw new UnreadableEnvelope('the answer has another declaration');
  const root = parsed(xml);
  if (root.name !== 'OPS_envelope') throw new UnreadableEnvelope('the answer is not an OPS envelope');
  const version = onlyChild(onlyChild(root, 'header'), 'version');
  if (textOf(version) !== '0.9') throw new UnreadableEnvelope('the envelope has another version');
  const left = { items: limits.items };
  const data = read(onlyChild(onlyChild(root, 'body'), 'data_block'), limits.depth, left);
  if (typeof data === 'string' || Array.isArray(data)) throw new UnreadableEnvelope('the envelope has no map');
  return data as OpsMap;
}

function parsed(xml: string): XmlElement {
  try {
    return parseXml(xml);
  } catch (error) {
    if (error instanceof EppError) throw new UnreadableEnvelope(error.message);
    throw error;
  }
}

const elementsOf = ({ children }: XmlElement): XmlElement[] => children.filter(isElement);

function onlyChild(of: XmlElement, name: string): XmlElement {
  const found = elementsOf(of).filter((each) => each.name === name);
  if (found.length !== 1) throw new UnreadableEnvelope(`the envelope has ${found.length} elements ${name}`);
  return found[0]!;
}

function textOf({ children }: XmlElement): string {
  const texts = children.filter((node) => !isElement(node));
  if (texts.length !== children.length) throw new UnreadableEnvelope('the envelope has an element inside a text');
  return texts.join('').trim();
}

/** The data inside of a `data_block` or `item`. */
function read(of: XmlElement, depth: number, left: { items: number }): OpsData {
  const inner = elementsOf(of);
  const [first] = inner;
  if (!first) return textOf(of);
  refuseText(of);
  if (inner.length > 1) throw new UnreadableEnvelope('the envelope has several values in one item');
  if (first.name === 'dt_scalar') return textOf(first);
  if (first.name !== 'dt_assoc' && first.name !== 'dt_array')
    throw new UnreadableEnvelope('the envelope has a value of an unknown type');
  if (depth === 0) throw new UnreadableEnvelope(`the envelope has more than ${limits.depth} levels`);
  refuseText(first);
  const items = elementsOf(first);
  left.items -= items.length;
  if (left.items < 0) throw new UnreadableEnvelope(`the envelope has more than ${limits.items} items`);
  const entries = items.map((item): [string, OpsData] => {
    if (item.name !== 'item') throw new UnreadableEnvelope('the envelope has something else than an item');
    return [item.attrs.key ?? '', read(item, depth - 1, left)];
  });
  if (first.name === 'dt_array') return entries.map(([, value]) => value);
  const keys = new Set(entries.map(([key]) => key));
  if (keys.has('') || keys.size !== entries.length)
    throw new UnreadableEnvelope('the envelope has a key twice, or none');
  return Object.fromEntries(entries);
}

function refuseText({ children }: XmlElement): void {
  if (children.some((node) => !isElement(node) && node.trim() !== ''))
    throw new UnreadableEnvelope('the envelope has text beside items');
}
