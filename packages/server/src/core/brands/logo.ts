import { badField } from '../errors.ts';

export type LogoType = 'png' | 'webp' | 'svg';

export const mostLogoBytes = 64 * 1024;
/** Pixels per side: a small file can need a gigabyte in every browser that draws it. */
const mostPixels = 2_048;

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

/**
 * The type of an image by its first bytes, not by its declared type. The content security policy under which an SVG is served prevents
 * scripts; content that no logo needs is refused here.
 */
export function logoTypeOf(bytes: Buffer): LogoType {
  if (bytes.length === 0) throw badField('data', 'The file is empty.', 'required');
  if (bytes.length > mostLogoBytes) throw badField('data', 'Must be at most 64 KiB. Use a smaller image.', 'too_long');
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n') && startsWith(bytes, 'IHDR', 12)) return drawable(sizeOfPng(bytes), 'png');
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return drawable(sizeOfWebp(bytes), 'webp');
  if (isDrawing(bytes)) return 'svg';
  throw badField('data', 'Must be a PNG, WebP or SVG image.');
}

type Size = readonly [width: number, height: number] | undefined;

function drawable(size: Size, type: LogoType): LogoType {
  if (!size) throw badField('data', 'The image is truncated or damaged. Save it again.');
  if (Math.min(...size) < 1 || Math.max(...size) > mostPixels)
    throw badField('data', `Must be at most ${mostPixels} pixels wide and high. Use a smaller image.`, 'too_long');
  return type;
}

const sizeOfPng = (bytes: Buffer): Size =>
  bytes.length < 24 ? undefined : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

/** Its three formats have the size in different places. */
function sizeOfWebp(bytes: Buffer): Size {
  if (bytes.length < 30) return undefined;
  switch (bytes.subarray(12, 16).toString('latin1')) {
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1];
    }
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    default:
      return undefined;
  }
}

const needless: readonly (readonly [RegExp, string])[] = [
  [/<!DOCTYPE|<!ENTITY/i, 'a document type or entities'],
  [/<(\w+:)?(script|foreignObject|iframe|embed|object)\b/i, 'scripts or foreign objects'],
  [/\son\w+\s*=/i, 'event handlers'],
  [/(href|src)\s*=\s*["']?\s*(?!["']?(#|data:image\/(png|webp|jpeg)))[^"'\s>]/i, 'links'],
  [/@import|url\(\s*["']?\s*(?!["']?#)[^)"'\s]/i, 'pictures or styles from elsewhere'],
];

function isDrawing(bytes: Buffer): boolean {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  if (!/^\s*(<\?xml[^>]*\?>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE[^>]*>\s*)?<svg\b/i.test(text)) return false;
  for (const [pattern, what] of needless)
    if (pattern.test(text)) throw badField('data', `The SVG contains ${what}. Export it as plain SVG.`, 'not_allowed');
  return true;
}
