import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

let idna: typeof import('idn-hostname') | undefined;

/** Its tables cost each process and thread about 10 ms, and few of them see a name beyond ASCII. So it is loaded on first use. */
function loadIdna(): typeof import('idn-hostname') {
  idna ??= createRequire(import.meta.url)('idn-hostname') as typeof import('idn-hostname');
  return idna;
}

export class NameError extends Error {
  override name = 'NameError';
}

const maxNameOctets = 253;
const maxLabelOctets = 63;

/** Far above 253 octets in any encoding: longer input is rejected without further checks. */
const maxInputLength = 1_000;

/**
 * A host or domain name in its stored form: lower-case A-labels, no trailing dot. IDNA2008 (RFC 5891) decides which U-labels are valid;
 * an A-label must be what its own U-label encodes to.
 */
export function normaliseName(input: string): string {
  if (input.length > maxInputLength) throw new NameError('The name is too long.');
  const lower = asTyped(input.trim()).replace(/\.$/, '');
  if (lower === '') throw new NameError('The name is empty.');
  const [wrong] = /[\x00-\x2c\x2f\x3a-\x60\x7b-\x7f]/.exec(lower) ?? [];
  if (wrong !== undefined)
    throw new NameError(`A name contains only letters, digits, hyphens and dots, not ${JSON.stringify(wrong)}.`);
  const ascii = /^[\x21-\x7e]+$/.test(lower) && !/(^|\.)xn--/.test(lower) ? lower : toALabels(lower);
  checkAscii(ascii);
  return ascii;
}

/** A host name in its stored form. RFC 1123 2.1: the last label of a host name is not numeric, so an IP address is not one. */
export function normaliseHostname(input: string): string {
  const isAddress = isIP(input.trim().replace(/^\[(.*)\]$/, '$1')) !== 0;
  const name = isAddress ? '' : normaliseName(input);
  if (isAddress || /(^|\.)\d+$/.test(name)) throw new NameError('Enter a host name, not an IP address.');
  if (!name.includes('.')) throw new NameError('Enter a full host name, for example ns1.example.com.');
  return name;
}

/** RFC 5895 2: input is normalised only in width, case, composition and full stops. */
function asTyped(text: string): string {
  return text
    .replace(/[\uff00-\uffef]+/g, (wide) => wide.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\u3002\uff0e\uff61]/g, '.');
}

function toALabels(name: string): string {
  const { idnHostname, uts46map } = loadIdna();
  try {
    // RFC 5891 4.1: the registered name is exactly the requested name. No character is dropped or mapped to another.
    const changed = name.split('.').find((label) => uts46map(label).normalize('NFC') !== label);
    if (changed !== undefined)
      throw new NameError(`"${changed}" contains characters that would be replaced by others. Enter the final form.`);
    const ascii = idnHostname(name).toLowerCase();
    for (const label of ascii.split('.')) checkReserved(displayName(label));
    return ascii;
  } catch (error) {
    if (error instanceof NameError) throw error;
    throw new NameError(idnaSentence((error as Error).message));
  }
}

/** The library names a character as `char 'x'`; its other texts cite rules of the standards. */
function idnaSentence(reported: string): string {
  const character = /^char '([^']+)'/u.exec(reported)?.[1];
  return character === undefined
    ? 'This is not a valid internationalized domain name (IDNA2008).'
    : `The character ${character} is not allowed in a domain name (IDNA2008).`;
}

function checkAscii(name: string): void {
  if (name.length > maxNameOctets) throw new NameError(`A name must have at most ${maxNameOctets} bytes.`);
  for (const label of name.split('.')) {
    if (label === '') throw new NameError('The name has an empty label.');
    if (label.length > maxLabelOctets) throw new NameError(`A label must have at most ${maxLabelOctets} bytes.`);
    if (!/^[a-z0-9-]+$/.test(label)) throw new NameError(`"${label}" must contain only letters, digits and hyphens.`);
    if (label.startsWith('-') || label.endsWith('-'))
      throw new NameError(`"${label}" must not begin or end with a hyphen.`);
    if (!label.startsWith('xn--')) checkReserved(label);
  }
}

/** RFC 5891 4.2.3.1: hyphens in the third and fourth position are reserved for A-labels, also in the U-label of an A-label. */
function checkReserved(label: string): void {
  if ([...label].slice(2, 4).join('') === '--')
    throw new NameError(`"${label}" must not have hyphens in the third and fourth position.`);
}

/** The display form, with U-labels. */
export function displayName(name: string): string {
  return name.includes('xn--') ? domainToUnicode(name) || name : name;
}

/** True when `host` lies below `name` (not equal to it). */
export function isBelow(host: string, name: string): boolean {
  return host.endsWith(`.${name}`);
}

/** The longest served suffix of a name: `a.co.id` under {id, co.id} is {label: a, tld: co.id}. */
export function splitName(
  name: string,
  served: { has(tld: string): boolean },
): { label: string; tld: string } | undefined {
  let dot = name.indexOf('.');
  while (dot !== -1) {
    const tld = name.slice(dot + 1);
    if (served.has(tld)) return { label: name.slice(0, dot), tld };
    dot = name.indexOf('.', dot + 1);
  }
  return undefined;
}
