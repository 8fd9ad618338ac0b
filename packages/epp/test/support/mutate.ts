/** A small seeded generator (mulberry32), so that a broken frame can be reproduced from its number. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SPICES = [
  '<',
  '>',
  '&',
  '&a;',
  '&#0;',
  '&#x10FFFF;',
  '<!--',
  ']]>',
  '<![CDATA[',
  '<?x?>',
  '\0',
  '\uFFFE',
  '"',
  "'",
  'xmlns=""',
];
const HOSTILE = ['<!DOCTYPE a [<!ENTITY b "c">]>', '<!DOCTYPE a SYSTEM "file:///etc/passwd">', '<a>'.repeat(300)];

/** Breaks a frame in one to four ways. */
export function mutate(frame: Buffer, others: readonly Buffer[], random: () => number): Buffer {
  let bytes: Buffer = Buffer.from(frame);
  const times = 1 + Math.floor(random() * 4);
  for (let time = 0; time < times; time += 1) bytes = mutateOnce(bytes, others, random);
  return bytes;
}

function mutateOnce(bytes: Buffer, others: readonly Buffer[], random: () => number): Buffer {
  const at = Math.floor(random() * bytes.length);
  const length = Math.floor(random() * 40);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const insert = (piece: Buffer) => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  switch (Math.floor(random() * 9)) {
    case 0: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at] = Math.floor(random() * 256);
      return copy;
    }
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 3:
      return insert(bytes.subarray(at, at + length));
    case 4:
      return insert(Buffer.from(pick(SPICES)));
    case 5:
      return Buffer.concat([Buffer.from(pick(HOSTILE)), bytes]);
    case 6: {
      const other = pick(others);
      return Buffer.concat([bytes.subarray(0, at), other.subarray(Math.floor(random() * other.length))]);
    }
    case 7:
      return Buffer.from(bytes.toString('latin1').replace(/1\.0/, String(random())), 'latin1');
    default:
      return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  }
}
