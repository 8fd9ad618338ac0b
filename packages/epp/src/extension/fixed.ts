import { targetsOf } from '../client/outcome.ts';
import type { ObjectRequest } from '../model/request.ts';
import { appliesUnder, type FixedElement, type RegistryProfile, tldOf } from '../profile.ts';
import { element, type XmlElement } from '../xml/tree.ts';

/** Data of the order for `{order.…}`. */
export type OrderValues = Readonly<Record<string, string>>;

/** Adds the extensions that every such command of this registry carries. */
export function withFixed<R extends ObjectRequest>(request: R, profile: RegistryProfile, order: OrderValues = {}): R {
  const [name] = request.object === 'domain' || request.object === 'host' ? targetsOf(request) : [];
  const tld = name === undefined ? '' : tldOf(profile, name);
  const added = profile.extensions
    .filter(({ on }) => on.some((each) => each === request.object || each === `${request.object}:${request.verb}`))
    .filter((each) => appliesUnder(each, tld))
    .flatMap((each) => {
      const under = each.tlds === undefined && name !== undefined ? tldAt(profile, name) : tld;
      return fill(each, each.uri, valuesOf(name, under, order)) ?? [];
    });
  if (added.length === 0) return request;
  return { ...request, ext: { ...request.ext, other: [...(request.ext?.other ?? []), ...added] } };
}

function valuesOf(name: string | undefined, tld: string, order: OrderValues): OrderValues {
  const own = Object.entries(order).map(([key, value]) => [`order.${key}`, value]);
  return Object.fromEntries([
    ...own,
    ...(name === undefined
      ? []
      : [
          ['name', name],
          ['tld', tld],
          ['TLD', tld.toUpperCase()],
        ]),
  ]);
}

/** A host outside every TLD of this registry counts to its first. */
function tldAt(profile: RegistryProfile, name: string): string {
  const [first] = Object.keys(profile.tlds);
  const tld = tldOf(profile, name);
  return first === undefined || Object.hasOwn(profile.tlds, tld) ? tld : first;
}

/** Undefined if a required value is unknown or nothing is left inside: an absent part is not sent. */
function fill(part: FixedElement, ns: string, values: OrderValues): XmlElement | undefined {
  const attributes: Record<string, string> = {};
  for (const [key, text] of Object.entries(part.attributes ?? {})) {
    const filled = fillText(text, values);
    if (filled === undefined) return undefined;
    attributes[key] = filled;
  }
  const text = part.text === undefined ? '' : fillText(part.text, values);
  if (text === undefined) return undefined;
  const children = (part.children ?? []).flatMap((each) => fill(each, ns, values) ?? []);
  if (part.children !== undefined && part.children.length > 0 && children.length === 0) return undefined;
  return element(ns, part.element, attributes, ...(text === '' ? [] : [text]), children);
}

function fillText(text: string, values: OrderValues): string | undefined {
  const holes = [...text.matchAll(/\{([\w.]+)\}/g)].map(([, key]) => key!);
  if (holes.some((key) => !Object.hasOwn(values, key))) return undefined;
  return text.replace(/\{([\w.]+)\}/g, (_, key: string) => values[key]!);
}
