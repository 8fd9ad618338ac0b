import { crc32, deflateSync } from 'node:zlib';

interface PngOptions {
  readonly colour: number;
  readonly depth: number;
  readonly withPalette?: boolean;
  readonly filter?: number;
  readonly rows?: number;
  readonly packed?: Buffer;
}

const [width, height] = [40, 20];
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A small grey image by the PNG specification, or one with a single error. */
export function pngOf({ colour, depth, withPalette = true, filter = 0, rows = height, packed }: PngOptions): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, 0], 8);
  const row = Buffer.concat([
    Buffer.from([filter]),
    Buffer.alloc(Math.ceil((width * channels[colour]! * depth) / 8), 0),
  ]);
  const picture = packed ?? deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...(colour === 3 && withPalette ? [chunk('PLTE', Buffer.alloc(48, 90))] : []),
    chunk('IDAT', picture),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}
