import { lowerName, type Name, nameToWire } from '../name.ts';

/**
 * A name as a Map key: its lower-case wire octets, one character each. A parent's key is the end of its child's key, so walking up the
 * tree is slicing a string.
 */
export type NameKey = string;

export const ROOT_KEY: NameKey = '\u0000';
export const WILDCARD_LABEL = '\u0001*';

export function nameKey(name: Name): NameKey {
  return wireKey(nameToWire(lowerName(name)));
}

/** Octets of an uncompressed lower-case name. */
function wireKey(wire: Uint8Array): NameKey {
  return Buffer.from(wire.buffer, wire.byteOffset, wire.length).toString('latin1');
}

export function parentKey(key: NameKey): NameKey {
  return key.slice(key.charCodeAt(0) + 1);
}

/** True also for the same name. */
export function isBelow(key: NameKey, ancestor: NameKey): boolean {
  if (!key.endsWith(ancestor)) return false;
  let at = 0;
  const start = key.length - ancestor.length;
  while (at < start) at += key.charCodeAt(at) + 1;
  return at === start;
}
