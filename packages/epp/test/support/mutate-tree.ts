import { isElement, type XmlElement, type XmlNode } from '../../src/index.ts';

const TEXTS = [
  '',
  ' ',
  '-1',
  '0',
  '99999999999999999999',
  'NaN',
  'true',
  '2026-13-45T99:99:99Z',
  'x'.repeat(3000),
  '\u{1F600}',
  '\r\n\t',
  '<&>"',
];
const NAMES = [
  'name',
  'id',
  'create',
  'update',
  'check',
  'login',
  'pw',
  'status',
  'period',
  'ns',
  'extension',
  'clTRID',
  'result',
  'cd',
];
const SPACES = [
  '',
  'urn:x',
  'urn:ietf:params:xml:ns:domain-1.0',
  'urn:ietf:params:xml:ns:epp-1.0',
  'urn:ietf:params:xml:ns:secDNS-1.1',
];

/** Changes a frame so that it stays well-formed and gets another meaning. */
export function mutateTree(tree: XmlElement, random: () => number): XmlElement {
  let changed = tree;
  const times = 1 + Math.floor(random() * 3);
  for (let time = 0; time < times; time += 1) changed = descend(changed, random);
  return changed;
}

function descend(el: XmlElement, random: () => number): XmlElement {
  const inner = el.children.flatMap((node, at) => (isElement(node) ? [at] : []));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  if (inner.length > 0 && random() < 0.8) {
    const at = pick(inner);
    const children = [...el.children];
    children[at] = descend(children[at] as XmlElement, random);
    return { ...el, children };
  }
  const keys = Object.keys(el.attrs);
  const withoutText: XmlNode[] = el.children.filter((_, at) => at !== Math.floor(random() * el.children.length));
  switch (Math.floor(random() * 8)) {
    case 0:
      return { ...el, children: withoutText };
    case 1:
      return { ...el, children: [...el.children, ...el.children] };
    case 2:
      return { ...el, name: pick(NAMES) };
    case 3:
      return { ...el, ns: pick(SPACES) };
    case 4:
      return { ...el, children: [pick(TEXTS)] };
    case 5:
      return keys.length === 0 ? { ...el, children: [el] } : { ...el, attrs: {} };
    case 6:
      return {
        ...el,
        attrs: { ...el.attrs, [pick([...keys, 'code', 'op', 's', 'unit', 'avail', '__proto__'])]: pick(TEXTS) },
      };
    default:
      return { ...el, children: [...el.children].reverse() };
  }
}
