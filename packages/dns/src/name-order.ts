import { labelsOf, lowerName, type Name, nameToWire } from './name.ts';

/**
 * A key whose plain string order is the canonical order of RFC 4034 6.1: labels from the right, octets compared without case, the
 * shorter name first.
 */
export function canonicalKey(name: Name): string {
  const lower = lowerName(name);
  // Characters below the hyphen never occur here, so the separator sorts before every octet.
  if (/^[a-z0-9._-]*$/.test(lower)) return labelsOf(lower).reverse().join('\u0000');
  const wire = nameToWire(lower);
  const labels: string[] = [];
  for (let at = 0; wire[at] !== 0; at += wire[at]! + 1) {
    let label = '';
    for (const octet of wire.subarray(at + 1, at + 1 + wire[at]!)) label += orderSign(octet);
    labels.push(label);
  }
  return labels.reverse().join('\u0000');
}

// A zero octet would equal the separator, so the two lowest octets are written as two characters that keep their order.
function orderSign(octet: number): string {
  return octet > 1 ? String.fromCharCode(octet) : `\u0001${String.fromCharCode(octet + 1)}`;
}

export function compareNames(a: Name, b: Name): number {
  const left = canonicalKey(a);
  const right = canonicalKey(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
