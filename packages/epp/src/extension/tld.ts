import { uri } from '../command/codec.ts';
import type { EppRequest } from '../model/request.ts';
import type { Namespaces } from '../profile.ts';
import { elementOf, type TldVerb } from '../tld/extension.ts';
import { TLD_EXTENSIONS, type TldExtensions } from '../tld/index.ts';
import type { XmlElement } from '../xml/tree.ts';

/** Commands about domains and contacts carry extensions of TLDs. */
function verbOf({ object, verb }: EppRequest): TldVerb | undefined {
  const isCarrier = object === 'domain' || object === 'contact';
  return isCarrier && (verb === 'create' || verb === 'update') ? verb : undefined;
}

function write(all: TldExtensions | undefined, verb: TldVerb, ns: Namespaces): XmlElement[] {
  if (all === undefined) return [];
  return TLD_EXTENSIONS.flatMap((each) => {
    const fields = all[each.name];
    return fields === undefined ? [] : each.write(uri(ns, each.part), verb, fields);
  });
}

/** The extensions read so far, with that of this element. Undefined: it is not one of them, or a duplicate. */
function read(el: XmlElement, verb: TldVerb, ns: Namespaces, known: TldExtensions = {}): TldExtensions | undefined {
  const found = TLD_EXTENSIONS.find((each) => el.ns === ns[each.part] && el.name === elementOf(each, verb));
  const fields = found === undefined || found.name in known ? undefined : found.read(el, verb);
  return found && fields && { ...known, [found.name]: fields };
}

export function writeTldRequest(request: EppRequest, ns: Namespaces): XmlElement[] {
  const verb = verbOf(request);
  return verb === undefined ? [] : write((request.ext as { tld?: TldExtensions } | undefined)?.tld, verb, ns);
}

export function readTldRequest(
  el: XmlElement,
  request: EppRequest,
  ns: Namespaces,
  { tld }: { readonly tld?: TldExtensions },
): TldExtensions | undefined {
  const verb = verbOf(request);
  return verb && read(el, verb, ns, tld);
}

export const writeTldAnswer = (all: TldExtensions | undefined, ns: Namespaces) => write(all, 'info', ns);

export const readTldAnswer = (el: XmlElement, ns: Namespaces, known: unknown) =>
  read(el, 'info', ns, known as TldExtensions | undefined);
