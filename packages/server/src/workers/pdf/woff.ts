import { inflateSync } from 'node:zlib';

const [headSize, entrySize, plainHeadSize, plainEntrySize] = [44, 20, 12, 16];

/**
 * WOFF 1.0, section 4: the tables of a font are compressed separately. They are decompressed once here; the PDF library would do it for
 * each glyph.
 */
export function unpackFont(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') return woff;
  const count = woff.readUInt16BE(12);
  const plain = Buffer.alloc(woff.readUInt32BE(16));
  woff.copy(plain, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  for (const [at, value] of [count, 2 ** power * 16, power, (count - 2 ** power) * 16].entries())
    plain.writeUInt16BE(value, 4 + 2 * at);
  let free = plainHeadSize + count * plainEntrySize;
  for (let place = 0; place < count; place += 1) {
    const entry = headSize + place * entrySize;
    const [offset, packed, length] = [4, 8, 12].map((more) => woff.readUInt32BE(entry + more)) as [
      number,
      number,
      number,
    ];
    const table = woff.subarray(offset, offset + packed);
    (packed < length ? inflateSync(table, { maxOutputLength: length }) : table).copy(plain, free);
    const target = plainHeadSize + place * plainEntrySize;
    woff.copy(plain, target, entry, entry + 4);
    woff.copy(plain, target + 4, entry + 16, entry + 20);
    plain.writeUInt32BE(free, target + 8);
    plain.writeUInt32BE(length, target + 12);
    free += Math.ceil(length / 4) * 4;
  }
  return plain;
}
