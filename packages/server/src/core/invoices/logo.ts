import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';
import { badField } from '../errors.ts';
import { invoiceLimits, type Logo } from '../model/invoice.ts';

/** An image that the PDF renderer can read, within its limits. It is decoded completely here, so that no document fails on it later. */
export async function readLogo(octets: Uint8Array): Promise<Logo> {
  const { logoBytes, logoPixels } = invoiceLimits;
  if (octets.length > logoBytes) throw badField('logo', `Must have at most ${logoBytes} bytes.`, 'too_long');
  const view = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  const found = pngSize(view) ?? jpegSize(view);
  if (!found) throw badField('logo', 'Must be a PNG without interlacing, or a JPEG, as base64.');
  const { width, height, type } = found;
  if (width < 1 || height < 1 || width > logoPixels || height > logoPixels)
    throw badField('logo', `Must be at most ${logoPixels} pixels wide and high. It is ${width} by ${height}.`);
  const isWhole = type === 'image/png' ? await isWholePng(view, found) : isWholeJpeg(view);
  if (!isWhole) throw badField('logo', 'The image is truncated or damaged. Save it again.');
  return { octets, type };
}

interface Size {
  readonly width: number;
  readonly height: number;
  readonly type: string;
}

const pngBegins = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG specification 11.2.1: the header comes first. */
function pngSize(octets: Buffer): Size | undefined {
  if (octets.length < 33 || !octets.subarray(0, 8).equals(pngBegins)) return undefined;
  if (octets.toString('latin1', 12, 16) !== 'IHDR' || octets[28] !== 0) return undefined;
  return { width: octets.readUInt32BE(16), height: octets.readUInt32BE(20), type: 'image/png' };
}

/** ITU T.81 B.2.2: the size is in the frame header, after segments with their own lengths. */
function jpegSize(octets: Buffer): Size | undefined {
  if (octets.length < 4 || octets.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < octets.length; ) {
    const marker = octets[at + 1]!;
    if (octets[at] !== 0xff) return undefined;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: octets.readUInt16BE(at + 5), width: octets.readUInt16BE(at + 7), type: 'image/jpeg' };
    at += 2 + octets.readUInt16BE(at + 2);
  }
  return undefined;
}

/** PNG specification 11.2.1: channels by colour type, and the allowed bit depths. */
const colours: Readonly<Record<number, { readonly channels: number; readonly depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};

/** Checks the CRC of every chunk, that a required palette exists, and that the image data has the length its size requires. */
async function isWholePng(octets: Buffer, { width, height }: Size): Promise<boolean> {
  const [depth, colour] = [octets[24]!, octets[25]!];
  const kind = colours[colour];
  if (!kind?.depths.includes(depth)) return false;
  const chunks = pngChunks(octets);
  if (!chunks) return false;
  const palette = chunks.find(({ type }) => type === 'PLTE');
  if (colour === 3 && (!palette || palette.data.length === 0 || palette.data.length % 3 !== 0)) return false;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const row = 1 + Math.ceil((width * kind.channels * depth) / 8);
  // Not on the main thread, and never more than the header declares.
  const picture = await promisify(inflate)(packed, { maxOutputLength: row * height }).catch(() => undefined);
  if (picture?.length !== row * height) return false;
  for (let at = 0; at < picture.length; at += row) if (picture[at]! > 4) return false;
  return true;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function pngChunks(octets: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= octets.length; ) {
    const end = at + 8 + octets.readUInt32BE(at);
    if (end + 4 > octets.length || crc32(octets.subarray(at + 4, end)) !== octets.readUInt32BE(end)) return undefined;
    const type = octets.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return chunks;
    chunks.push({ type, data: octets.subarray(at + 8, end) });
    at = end + 4;
  }
  return undefined;
}

/** A scan that begins, and the end of the image. The data between is not checked: a viewer shows a damaged image with its damage. */
function isWholeJpeg(octets: Buffer): boolean {
  const end = octets.lastIndexOf(Buffer.from([0xff, 0xd9]));
  return octets.includes(Buffer.from([0xff, 0xda])) && end !== -1 && end > octets.length - 64;
}
