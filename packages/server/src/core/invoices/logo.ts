import { badField } from '../errors.ts';
import { invoiceLimits } from './invoice.ts';
import type { Logo } from './settings.sql.ts';

/** A picture that a printer of documents can read, by what it says of itself and within its budget. */
export function readLogo(octets: Uint8Array): Logo {
  const { logoBytes, logoPixels } = invoiceLimits;
  if (octets.length > logoBytes) throw badField('logo', `must have at most ${logoBytes} bytes`, 'too_long');
  const view = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  const found = pngSize(view) ?? jpegSize(view);
  if (!found) throw badField('logo', 'must be a PNG without interlacing, or a JPEG, as base64');
  const { width, height, type } = found;
  if (width < 1 || height < 1 || width > logoPixels || height > logoPixels)
    throw badField('logo', `must be at most ${logoPixels} pixels wide and high; it is ${width} by ${height}`);
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

/** ITU T.81 B.2.2: the size stands in the frame header, behind segments with a length of their own. */
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
