/** Parses the subset of HTML allowed for a masking page. The input is never passed on; other files write new markup from the result. */

export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** Markup that browsers might parse in different ways. */
export class MarkupError extends Error {
  override name = 'MarkupError';
}

const whole = /<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>|[^<]+|</giy;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;
/** Elements whose content is not text of the page. */
const silent = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'textarea',
  'select',
]);

/** At most one token for each character, and a fixed number of reads of each: time is linear in the length. */
export function* tokensOf(markup: string): Generator<Token> {
  let muted: string | undefined;
  whole.lastIndex = 0;
  for (const match of markup.matchAll(whole)) {
    const [text, slash, tag, rest] = match;
    if (tag === undefined) {
      if (text.startsWith('<!')) continue;
      if (text === '<')
        throw new MarkupError(`a tag or a quote is not closed: ${markup.slice(match.index, match.index + 40)}`);
      if (muted === undefined) yield { kind: 'text', text: decoded(text) };
      continue;
    }
    const name = tag.toLowerCase();
    if (muted !== undefined) {
      if (slash !== '' && name === muted) muted = undefined;
    } else if (slash !== '') yield { kind: 'close', name };
    else {
      yield { kind: 'open', name, attributes: attributesOf(rest ?? '') };
      if (silent.has(name) && !/\/\s*$/.test(rest ?? '')) muted = name;
    }
  }
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, double, single, bare] of text.matchAll(attribute)) {
    const key = name!.toLowerCase();
    if (!found.has(key)) found.set(key, decoded(double ?? single ?? bare ?? ''));
  }
  return found;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return entities[(name as string).toLowerCase()] ?? all;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' ';
  });
}

/** Escapes text between tags and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

/** One line without control characters, of limited length. */
export function plainLine(text: string, max: number): string {
  return text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\s]+/gu, ' ')
    .trim()
    .slice(0, max);
}
