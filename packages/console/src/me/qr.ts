/** Error correction bytes per block and number of blocks, for versions 1 to 15 at level L (ISO/IEC 18004, table 9). */
const correction = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22];
const blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6];

/** Total bytes of a version, without function patterns. */
function capacityOf(version: number): number {
  const marks = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const taken = (version < 2 ? 0 : (25 * marks - 10) * marks - 55) + (version < 7 ? 0 : 36);
  return Math.floor(((16 * version + 128) * version + 64 - taken) / 8);
}

const multiply = (a: number, b: number): number => {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
};

/** Reed-Solomon: the remainder of the division by the generator polynomial. */
function remainderOf(data: readonly number[], degree: number): number[] {
  const generator = Array.from<unknown, number>({ length: degree }, (_, n) => (n === degree - 1 ? 1 : 0));
  let root = 1;
  for (let n = 0; n < degree; n += 1) {
    for (let at = 0; at < degree; at += 1) generator[at] = multiply(generator[at]!, root) ^ (generator[at + 1] ?? 0);
    root = multiply(root, 2);
  }
  const rest = new Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    for (let at = 0; at < degree; at += 1) rest[at]! ^= multiply(generator[at]!, factor);
  }
  return rest;
}

/** Length, text and padding, split into blocks with error correction and interleaved. */
function bytesOf(text: Uint8Array, version: number): number[] {
  const [degree, count] = [correction[version - 1]!, blockCounts[version - 1]!];
  const whole = capacityOf(version);
  const space = whole - degree * count;
  const lengthBits = version < 10 ? 8 : 16;
  let bits = `0100${text.length.toString(2).padStart(lengthBits, '0')}`;
  for (const byte of text) bits += byte.toString(2).padStart(8, '0');
  bits += '0000'.slice(0, space * 8 - bits.length);
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  const data = bits.match(/.{8}/g)!.map((each) => Number.parseInt(each, 2));
  for (let n = 0; data.length < space; n += 1) data.push(n % 2 ? 0x11 : 0xec);
  const short = Math.floor(space / count);
  const shortBlocks = count - (space % count);
  const blocks: number[][] = [];
  for (let at = 0, n = 0; n < count; n += 1) {
    const length = short + (n < shortBlocks ? 0 : 1);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const corrected = blocks.map((block) => remainderOf(block, degree));
  const interleave = (all: number[][], length: number) =>
    Array.from({ length }, (_, n) => all.flatMap((block) => block[n] ?? [])).flat();
  return [...interleave(blocks, short + 1), ...interleave(corrected, degree)];
}

type Cells = (boolean | undefined)[][];

/** Concentric squares: finder and alignment patterns. */
function putRings(cells: Cells, x: number, y: number, reach: number, isDark: (ring: number) => boolean): void {
  for (let dy = -reach; dy <= reach; dy += 1)
    for (let dx = -reach; dx <= reach; dx += 1)
      if (cells[y + dy] && x + dx >= 0 && x + dx < cells.length)
        cells[y + dy]![x + dx] = isDark(Math.max(Math.abs(dx), Math.abs(dy)));
}

function putPatterns(cells: Cells, version: number): void {
  const size = cells.length;
  for (let n = 0; n < size; n += 1) {
    cells[6]![n] = n % 2 === 0;
    cells[n]![6] = n % 2 === 0;
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    putRings(cells, x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const places = alignmentOf(version, size);
  const last = places.length - 1;
  places.forEach((y, row) => {
    places.forEach((x, column) => {
      const isAtFinder =
        (row === 0 && column === 0) || (row === 0 && column === last) || (row === last && column === 0);
      if (!isAtFinder) putRings(cells, x, y, 2, (ring) => ring !== 1);
    });
  });
}

function alignmentOf(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, n) => size - 7 - (count - 2 - n) * step)];
}

/** Format information (level L, mask 0) in both places, and version information from version 7. */
function putFormat(cells: Cells, version: number): void {
  const size = cells.length;
  // 01 000 with its BCH code and the fixed XOR mask, which is the same for all symbols here.
  const format = 0b111011111000100;
  const bit = (n: number) => ((format >> n) & 1) === 1;
  const around = [0, 1, 2, 3, 4, 5, 7, 8];
  for (let n = 0; n < 8; n += 1) {
    cells[around[n]!]![8] = bit(n);
    cells[8]![size - 1 - n] = bit(n);
  }
  for (let n = 8; n < 15; n += 1) {
    cells[8]![n === 8 ? 7 : 14 - n] = bit(n);
    cells[size - 15 + n]![8] = bit(n);
  }
  cells[size - 8]![8] = true;
  if (version < 7) return;
  let rest = version;
  for (let n = 0; n < 12; n += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const all = (version << 12) | rest;
  for (let n = 0; n < 18; n += 1) {
    const [near, far] = [Math.floor(n / 3), size - 11 + (n % 3)];
    const isDark = ((all >> n) & 1) === 1;
    cells[near]![far] = isDark;
    cells[far]![near] = isDark;
  }
}

/** Places bits in column pairs from the right, up and down, around function patterns. */
function putBytes(cells: Cells, bytes: readonly number[]): boolean[][] {
  const size = cells.length;
  const free = cells.map((row) => row.map((cell) => cell === undefined));
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let n = 0; n < size; n += 1) {
      const isUp = ((right + 1) & 2) === 0;
      const y = isUp ? size - 1 - n : n;
      for (const x of [right, right - 1]) {
        if (!free[y]![x]) continue;
        const isDark = at < bytes.length * 8 && ((bytes[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
        cells[y]![x] = isDark !== ((x + y) % 2 === 0);
        at += 1;
      }
    }
  }
  return cells as boolean[][];
}

/** A text as a QR code by rows; undefined if it is too long. */
export function qrCells(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text);
  const version = correction.findIndex((degree, n) => {
    const head = n + 1 < 10 ? 2 : 3;
    return bytes.length + head <= capacityOf(n + 1) - degree * blockCounts[n]!;
  });
  if (version < 0) return undefined;
  const size = 21 + 4 * version;
  const cells: Cells = Array.from({ length: size }, () => new Array<boolean | undefined>(size).fill(undefined));
  putPatterns(cells, version + 1);
  putFormat(cells, version + 1);
  return putBytes(cells, bytesOf(bytes, version + 1));
}
