import { attribute, child, token } from '../xml/read.ts';
import { element, type XmlElement } from '../xml/tree.ts';
import type { TldFields } from './extension.ts';

/** The path of each field below the parent of the content: `ccLocality`, `owner/number`, `owner/@type`. In the order of the elements. */
export type FieldMapping = readonly { readonly field: string; readonly path: string }[];

interface Draft {
  readonly name: string;
  readonly attrs: Record<string, string>;
  readonly children: (Draft | string)[];
}

const draft = (name: string): Draft => ({ name, attrs: {}, children: [] });

/** The last child of this name, so that fields with the same parent are inside of one element. */
function childOf(parent: Draft, name: string): Draft {
  const found = parent.children.findLast((each): each is Draft => typeof each !== 'string' && each.name === name);
  if (found !== undefined) return found;
  const made = draft(name);
  parent.children.push(made);
  return made;
}

const finished = (ns: string, { name, attrs, children }: Draft): XmlElement =>
  element(
    ns,
    name,
    attrs,
    children.map((each) => (typeof each === 'string' ? each : finished(ns, each))),
  );

/** Fields as elements and attributes. `parentPath` leads to their parent. */
export function writeMapped(ns: string, parentPath: string, mapping: FieldMapping, fields: TldFields): XmlElement {
  const [first, ...rest] = parentPath.split('/') as [string, ...string[]];
  const root = draft(first);
  const parent = rest.reduce(childOf, root);
  for (const { field, path } of mapping) {
    const value = fields[field];
    if (value === undefined) continue;
    const names = path.split('/');
    const last = names.at(-1)!;
    if (last.startsWith('@')) names.slice(0, -1).reduce(childOf, parent).attrs[last.slice(1)] = value;
    else names.reduce(childOf, parent).children.push(value);
  }
  return finished(ns, root);
}

const below = (el: XmlElement | undefined, name: string): XmlElement | undefined => el && child(el, el.ns, name);

/** The parent of the content of this element. */
export const parentAt = (el: XmlElement, path: string): XmlElement | undefined =>
  path.split('/').slice(1).reduce<XmlElement | undefined>(below, el);

export function readMapped(el: XmlElement, parentPath: string, mapping: FieldMapping): TldFields | undefined {
  const parent = parentAt(el, parentPath);
  const fields = mapping.flatMap(({ field, path }) => {
    const value = valueAt(parent, path.split('/'));
    return value === undefined ? [] : [[field, value] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function valueAt(parent: XmlElement | undefined, names: readonly string[]): string | undefined {
  const last = names.at(-1)!;
  const isAttribute = last.startsWith('@');
  const found = (isAttribute ? names.slice(0, -1) : names).reduce(below, parent);
  if (found === undefined) return undefined;
  return isAttribute ? attribute(found, last.slice(1)) : token(found);
}
