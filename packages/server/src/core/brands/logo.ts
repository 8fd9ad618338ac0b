import { badField } from '../errors.ts';

export type LogoType = 'png' | 'webp' | 'svg';

export const mostLogoBytes = 64 * 1024;

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

/**
 * What a picture is, by its own first bytes and not by what somebody says. That a drawing runs nothing is the work of the policy it is
 * handed out with; what is refused here is what no logo needs.
 */
export function logoTypeOf(bytes: Buffer): LogoType {
  if (bytes.length === 0) throw badField('data', 'is empty', 'required');
  if (bytes.length > mostLogoBytes)
    throw badField('data', 'must be 64 KiB at most; make the picture smaller', 'too_long');
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n') && startsWith(bytes, 'IHDR', 12)) return 'png';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp';
  if (isDrawing(bytes)) return 'svg';
  throw badField('data', 'must be a PNG, WebP or SVG picture');
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
    if (pattern.test(text)) throw badField('data', `the drawing has ${what}; export it as plain SVG`, 'not_allowed');
  return true;
}
