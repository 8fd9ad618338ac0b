/** SipHash-2-4 with its 64-bit words in halves, used for server cookies (RFC 9018). */

// v0 to v3, each as high and low half.
const v = new Int32Array(8);

function add(to: number, from: number): void {
  const low = (v[to + 1]! >>> 0) + (v[from + 1]! >>> 0);
  v[to] = v[to]! + v[from]! + (low > 0xffffffff ? 1 : 0);
  v[to + 1] = low;
}

/** Rotates left by `bits` below 32, then XORs with another word. */
function turnMix(at: number, bits: number, other: number): void {
  const high = v[at]!;
  const low = v[at + 1]!;
  v[at] = ((high << bits) | (low >>> (32 - bits))) ^ v[other]!;
  v[at + 1] = ((low << bits) | (high >>> (32 - bits))) ^ v[other + 1]!;
}

function swap(at: number): void {
  const high = v[at]!;
  v[at] = v[at + 1]!;
  v[at + 1] = high;
}

function round(): void {
  add(0, 2);
  turnMix(2, 13, 0);
  swap(0);
  add(4, 6);
  turnMix(6, 16, 4);
  add(0, 6);
  turnMix(6, 21, 0);
  add(4, 2);
  turnMix(2, 17, 4);
  swap(4);
}

function wordAt(octets: Uint8Array, at: number): number {
  return octets[at]! | (octets[at + 1]! << 8) | (octets[at + 2]! << 16) | (octets[at + 3]! << 24);
}

function take(high: number, low: number): void {
  v[6] = v[6]! ^ high;
  v[7] = v[7]! ^ low;
  round();
  round();
  v[0] = v[0]! ^ high;
  v[1] = v[1]! ^ low;
}

/** Eight octets, little endian as in the reference implementation. `key` has 16. */
export function sipHash24(key: Uint8Array, message: Uint8Array): Uint8Array {
  const [low0, high0, low1, high1] = [wordAt(key, 0), wordAt(key, 4), wordAt(key, 8), wordAt(key, 12)];
  v[0] = high0 ^ 0x736f6d65;
  v[1] = low0 ^ 0x70736575;
  v[2] = high1 ^ 0x646f7261;
  v[3] = low1 ^ 0x6e646f6d;
  v[4] = high0 ^ 0x6c796765;
  v[5] = low0 ^ 0x6e657261;
  v[6] = high1 ^ 0x74656462;
  v[7] = low1 ^ 0x79746573;
  const whole = message.length - (message.length % 8);
  for (let at = 0; at < whole; at += 8) take(wordAt(message, at + 4), wordAt(message, at));
  const last = new Uint8Array(8);
  last.set(message.subarray(whole));
  last[7] = message.length & 0xff;
  take(wordAt(last, 4), wordAt(last, 0));
  v[5] = v[5]! ^ 0xff;
  for (let count = 0; count < 4; count++) round();
  const out = new DataView(new ArrayBuffer(8));
  out.setInt32(0, v[1]! ^ v[3]! ^ v[5]! ^ v[7]!, true);
  out.setInt32(4, v[0]! ^ v[2]! ^ v[4]! ^ v[6]!, true);
  return new Uint8Array(out.buffer);
}
