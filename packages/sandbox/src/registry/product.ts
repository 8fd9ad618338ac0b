import { splitName } from '@namehold/base';
import { isElement, NAMESTORE, targetsOf, type XmlElement } from '@namehold/epp';
import type { DispatchedCommand } from '@namehold/epp/server';
import type { SandboxTld } from '../tlds/index.ts';
import { refuse } from './refusal.ts';

/**
 * Verisign's namestoreExt: a command names the product of its names and hosts, and contains those of one product only. Outside hosts
 * count to any of them, if all TLDs of the registry have one. The answer repeats the product.
 */
export function readProduct(tlds: ReadonlyMap<string, SandboxTld>, command: DispatchedCommand): XmlElement | undefined {
  if (command.object !== 'domain' && command.object !== 'host') return undefined;
  const element = command.ext?.other?.find(({ ns, name }) => ns === NAMESTORE.uri && name === NAMESTORE.element);
  const wanted = new Set(targetsOf(command).map((target) => productOf(tlds, target)));
  const served = new Set([...tlds.values()].map(({ product }) => product));
  const isElsewhere = command.object === 'host' && wanted.has(undefined) && !served.has(undefined);
  if (isElsewhere) wanted.delete(undefined);
  const [product, ...others] = wanted;
  if (others.length > 0) refuse(2306, 'a command has names of one product');
  if (product === undefined && !isElsewhere) return element;
  if (element === undefined) refuse(2003, 'namestoreExt is missing: name the product');
  const text = subProductOf(element);
  if (product === undefined ? !served.has(text) : text !== product)
    refuse(2306, `${text} is not the product of these names`);
  return element;
}

function productOf(tlds: ReadonlyMap<string, SandboxTld>, name: string): string | undefined {
  const tld = splitName(name.toLowerCase(), tlds)?.tld;
  return tld === undefined ? undefined : tlds.get(tld)?.product;
}

const subProductOf = (element: XmlElement): string =>
  element.children
    .filter(isElement)
    .flatMap(({ children }) => children.filter((child) => typeof child === 'string'))
    .join('')
    .trim();
