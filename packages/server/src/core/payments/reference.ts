import type { Ids } from '@namehold/base';

/** Digits only: among digits the check number finds every single error. */
const alphabet = '0123456789';
const bodyLength = 12;
const whole = 4 + bodyLength;

/** ISO 11649: letters as numbers from 10 on, then modulo 97; in pieces, because the number is long. */
function remainder(text: string): number {
  let rest = 0;
  for (const character of text) rest = Number(`${rest}${Number.parseInt(character, 36)}`) % 97;
  return rest;
}

/**
 * A creditor reference (ISO 11649), which banks print and check: its two check digits find every wrong digit and every swap of two
 * neighbours.
 */
export function makeReference(ids: Ids): string {
  const body = ids.text(bodyLength, alphabet);
  const check = 98 - remainder(`${body}RF00`);
  return `RF${String(check).padStart(2, '0')}${body}`;
}

const hasForm = (text: string) => /^RF\d{14}$/.test(text);
export const isReference = (text: string): boolean =>
  hasForm(text) && remainder(`${text.slice(4)}${text.slice(0, 4)}`) === 1;

const textLength = 1_000;

/** References in the payer's text, with any blanks, dashes and words around them. */
export function referencesIn(text: string): string[] {
  const plain = text
    .slice(0, textLength)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '');
  const found: string[] = [];
  for (let at = plain.indexOf('RF'); at !== -1; at = plain.indexOf('RF', at + 1)) {
    const candidate = plain.slice(at, at + whole);
    if (isReference(candidate) && !found.includes(candidate)) found.push(candidate);
  }
  return found;
}

/** In groups of four, for reading aloud. */
export const groupedReference = (reference: string): string => reference.replace(/(.{4})(?=.)/g, '$1 ');
