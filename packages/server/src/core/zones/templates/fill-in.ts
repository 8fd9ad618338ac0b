import { isIPv4, isIPv6 } from 'node:net';
import { cutLongStrings } from '@namehold/dns';
import { fieldsRefusal } from '../change/problems.ts';
import {
  type TemplateContent,
  type TemplateRRset,
  templateLimits,
  type Variable,
  type VariableKind,
} from './template.ts';

/** `%{i}` is a macro of SPF (RFC 7208 7) and stays. */
const placeholder = /(?<!%)\{([a-z][a-z0-9_]*)\}/g;

/** Text that looks like a placeholder but is none: `{IP}`, `{__proto__}`. */
const misspelt = /(?<!%)\{((?![a-z][a-z0-9_]*\})[A-Za-z_][A-Za-z0-9_-]*)\}/;

export const misspeltIn = (text: string): string | undefined => misspelt.exec(text)?.[1];

export interface Value {
  readonly name: string;
  readonly value: string;
}

export const placeholdersOf = (text: string): string[] => [...text.matchAll(placeholder)].map((match) => match[1]!);

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const isHostname = (value: string): boolean => {
  const labels = value.split('.');
  // No top-level name is a number (RFC 3696 2), so a name that ends in one is meant as an address.
  const isAddress = /^\d+$/.test(labels.at(-1)!);
  return value.length <= 253 && labels.length > 1 && !isAddress && labels.every((each) => label.test(each));
};

/** Neither quotes nor escapes, so that a value has the same meaning in every position of a record. */
const kinds: Readonly<Record<VariableKind, { readonly fits: (value: string) => boolean; readonly must: string }>> = {
  ipv4: { fits: isIPv4, must: 'must be an IPv4 address' },
  ipv6: { fits: isIPv6, must: 'must be an IPv6 address' },
  hostname: { fits: isHostname, must: 'must be a full host name, such as mail.example.net' },
  label: { fits: (value) => label.test(value), must: 'must be one part of a name: letters, figures, - and _' },
  word: { fits: (value) => /^[!#-'*-:<-[\]-~]+$/.test(value), must: 'must be one word, without quotes, brackets or ;' },
  text: {
    fits: (value) => !/["\\\p{C}\p{Zl}\p{Zp}]/u.test(value),
    must: 'must be one line, without quotes and backslashes',
  },
};

/** Sample values, for checking a template without real ones. */
export const sampleValues: Readonly<Record<VariableKind, string>> = {
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'host.example.net',
  label: 'label',
  word: 'word',
  text: 'text',
};

/** Every variable must have a value, and no others are allowed. All problems are reported together, under `values.N` or by name. */
function readValues(variables: readonly Variable[], given: readonly Value[]): Map<string, string> {
  const problems: { field: string; reason: string; code?: string }[] = [];
  const known = new Map(variables.map((variable) => [variable.name, variable]));
  const values = new Map<string, string>();
  for (const [at, { name, value }] of given.entries()) {
    const variable = known.get(name);
    const read = variable?.kind === 'hostname' ? value.replace(/\.$/, '') : value;
    if (!variable) problems.push({ field: `values.${at}.name`, reason: `the template has no {${name}}` });
    else if (values.has(name)) problems.push({ field: `values.${at}.name`, reason: `{${name}} is listed twice` });
    else if (!kinds[variable.kind].fits(read) || read.length > templateLimits.valueLength)
      problems.push({ field: `values.${at}.value`, reason: `{${name}} ${kinds[variable.kind].must}` });
    values.set(name, read);
  }
  for (const { name, about } of variables)
    if (!values.has(name))
      problems.push({ field: 'values', reason: `{${name}} is missing: ${about || name}`, code: 'required' });
  if (problems.length > 0) throw fieldsRefusal(problems);
  return values;
}

/** The RRsets of a template for one domain. */
export function fillIn(
  { variables, rrsets }: Pick<TemplateContent, 'variables' | 'rrsets'>,
  domainName: string,
  given: readonly Value[],
): TemplateRRset[] {
  const values = readValues(variables, given).set('domain', domainName);
  const fill = (text: string) => text.replaceAll(placeholder, (whole, name: string) => values.get(name) ?? whole);
  // An owner that ends in the domain is a full name, with or without a final dot.
  const owner = (name: string) => fill(name.replace(/\{domain\}\.?$/, '{domain}.'));
  return rrsets.map(({ name, type, ttl, records }) => {
    const filled = records.map((record) => {
      const text = fill(record);
      return /^(?:TXT|SPF)$/i.test(type) ? cutLongStrings(text) : text;
    });
    return { name: owner(name), type, ttl, records: filled };
  });
}
