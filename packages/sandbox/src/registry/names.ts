import { NameError, normaliseName, splitName } from '@namehold/base';
import type { SandboxTld } from '../tlds/index.ts';
import { Refusal, refuse } from './refusal.ts';

export interface ReadName {
  readonly name: string;
  readonly label: string;
  readonly tld: SandboxTld;
}

/** RFC 5731 2.1: a domain name is A-labels on the wire, compared without case. */
export function readDomainName(tlds: ReadonlyMap<string, SandboxTld>, text: string): ReadName {
  const name = normalised(text);
  const parts = splitName(name, tlds);
  if (parts === undefined) refuse(2306, `${name} is in no zone of this registry`);
  const { label } = parts;
  const tld = tlds.get(parts.tld) as SandboxTld;
  if (label.includes('.')) refuse(2306, `names under .${tld.tld} have one label`);
  if (label.startsWith('xn--') && !tld.name.idn) refuse(2306, `.${tld.tld} has no internationalised names`);
  if (label.length < tld.name.minLength || label.length > tld.name.maxLength) {
    refuse(2306, `labels under .${tld.tld} have ${tld.name.minLength} to ${tld.name.maxLength} characters`);
  }
  // co.id is a zone of its own: the name itself cannot be registered under id.
  if (tlds.has(name)) refuse(2306, `${name} is a zone of this registry`);
  return { name, label, tld };
}

export function readHostName(text: string): string {
  const name = normalised(text);
  if (!name.includes('.')) refuse(2005, `${name} is not a fully qualified host name`);
  return name;
}

function normalised(text: string): string {
  // The wire carries A-labels only; whitespace and U-labels are syntax errors here.
  if (!/^[\x21-\x7e]+$/.test(text) || text.endsWith('.')) refuse(2005, 'not a host name in A-label form');
  try {
    return normaliseName(text);
  } catch (error) {
    if (error instanceof NameError) refuse(2005, error.message);
    throw error;
  }
}

/** The superordinate domain of a host, if this registry serves its TLD with host objects. */
export function superordinateOf(tlds: ReadonlyMap<string, SandboxTld>, host: string): string | undefined {
  const parts = splitName(host, tlds);
  if (parts === undefined || tlds.get(parts.tld)?.rules.hostModel !== 'objects') return undefined;
  return `${parts.label.split('.').at(-1)}.${parts.tld}`;
}

/** Undefined if the rules allow the name; otherwise the reason. */
export function nameFault(tlds: ReadonlyMap<string, SandboxTld>, text: string): string | undefined {
  try {
    const { label, tld } = readDomainName(tlds, text);
    return tld.reserved.includes(label) ? 'Reserved' : undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.reasons[0] ?? 'Invalid';
    throw error;
  }
}
