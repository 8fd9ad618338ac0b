// RFC 1982: serials are numbers modulo 2^32; "after" is defined for less than half the range.
export const SERIAL_RING = 0x1_0000_0000;
const HALF_RING = 0x8000_0000;

/** The number as written on the wire. */
export function serialOnWire(serial: number | bigint): number {
  const ring = BigInt(SERIAL_RING);
  return Number(((BigInt(serial) % ring) + ring) % ring);
}

/** RFC 1982 3.2: -1, 0 or 1; undefined if the two are exactly half the range apart. */
export function compareSerials(a: number, b: number): -1 | 0 | 1 | undefined {
  const distance = (serialOnWire(b) - serialOnWire(a) + SERIAL_RING) % SERIAL_RING;
  if (distance === 0) return 0;
  if (distance === HALF_RING) return undefined;
  return distance < HALF_RING ? -1 : 1;
}

export function serialIsNewer(candidate: number, than: number): boolean {
  return compareSerials(candidate, than) === 1;
}

export function addToSerial(serial: number, increment: number): number {
  return (serialOnWire(serial) + increment) % SERIAL_RING;
}

/** max(old + 1, unix time) in sequence arithmetic: always newer than `old`, and readable as a time if changes are rare. */
export function nextSerial(old: number, unixSeconds: number): number {
  const step = addToSerial(old, 1);
  const clock = serialOnWire(Math.floor(unixSeconds));
  return serialIsNewer(clock, step) ? clock : step;
}
