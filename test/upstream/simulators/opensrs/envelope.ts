/** Data of the OPS protocol: texts, lists (`dt_array`) and maps (`dt_assoc`). */
export type OpsData = string | OpsData[] | OpsMap;
export interface OpsMap {
  [key: string]: OpsData;
}

export class Unreadable extends Error {}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>\n<!DOCTYPE OPS_envelope SYSTEM "ops.dtd">\n';

export function writeEnvelope(data: OpsMap): string {
  const block = `<data_block>${write(data)}</data_block>`;
  return `${head}<OPS_envelope><header><version>0.9</version></header><body>${block}</body></OPS_envelope>`;
}

function write(data: OpsData): string {
  if (typeof data === 'string') return escapeXml(data);
  const name = Array.isArray(data) ? 'dt_array' : 'dt_assoc';
  const items = Object.entries(data).map(([key, value]) => `<item key="${escapeXml(key)}">${write(value)}</item>`);
  return `<${name}>\n${items.join('\n')}\n</${name}>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each]!);

function unescapeXml(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    const found = Object.entries(entities).find(([, entity]) => entity === whole)?.[0];
    if (found !== undefined) return found;
    if (!name.startsWith('#')) throw new Unreadable(`entity ${whole}`);
    return String.fromCodePoint(Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1)));
  });
}

interface Element {
  readonly name: string;
  readonly key: string;
  readonly children: Element[];
  text: string;
}

/** Reads only what the protocol has: no other document type, no CDATA, no processing instruction but the first. */
export function readEnvelope(xml: string): OpsMap {
  const body = xml
    .replace(/^\s*<\?xml[^>]*\?>/, '')
    .replace(/<!DOCTYPE\s+OPS_envelope\s+SYSTEM\s+["']ops\.dtd["']\s*>/, '');
  const envelope = onlyChild(readTree(body), 'OPS_envelope');
  const version = envelope.children.find(({ name }) => name === 'header')?.children[0];
  if (version?.text.trim() !== '0.9') throw new Unreadable('version');
  const block = onlyChild(onlyChild(envelope, 'body'), 'data_block');
  const data = read(block);
  if (typeof data === 'string' || Array.isArray(data)) throw new Unreadable('data_block');
  return data;
}

function onlyChild({ children }: Element, name: string): Element {
  const found = children.filter((each) => each.name === name);
  if (found.length !== 1) throw new Unreadable(name);
  return found[0]!;
}

function read({ children, text }: Element): OpsData {
  const [inner] = children;
  if (!inner) return unescapeXml(text.trim());
  if (inner.name === 'dt_scalar') return unescapeXml(inner.text.trim());
  const items = inner.children;
  if (items.some(({ name }) => name !== 'item')) throw new Unreadable('item');
  if (inner.name === 'dt_assoc') return Object.fromEntries(items.map((each) => [each.key, read(each)]));
  if (inner.name === 'dt_array') return items.map(read);
  throw new Unreadable(inner.name);
}

function readTree(xml: string): Element {
  const root: Element = { name: '', key: '', children: [], text: '' };
  const open = [root];
  let place = 0;
  for (const tag of xml.matchAll(/<(\/?)([A-Za-z_]\w*)((?:\s+\w+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g)) {
    const [whole, isEnd, name, attributes, isEmpty] = tag;
    const text = xml.slice(place, tag.index);
    if (text.includes('<')) throw new Unreadable('markup');
    open.at(-1)!.text += text;
    place = tag.index + whole.length;
    if (isEnd) {
      if (open.length === 1 || open.pop()!.name !== name) throw new Unreadable(`end of ${name}`);
      continue;
    }
    const key = unescapeXml(/\bkey\s*=\s*["']([^"']*)["']/.exec(attributes!)?.[1] ?? '');
    const element = { name: name!, key, children: [], text: '' };
    open.at(-1)!.children.push(element);
    if (!isEmpty) open.push(element);
  }
  if (open.length !== 1 || xml.slice(place).trim() !== '') throw new Unreadable('end');
  return root;
}
