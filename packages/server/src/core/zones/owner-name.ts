import { isSubdomain, type Name, NameError, parseName } from '@namehold/dns';
import { parse } from 'tldts';

/** RFC 6761: top-level names that are in no list because nobody can register below them. */
const reserved = new Set(['example', 'invalid', 'localhost', 'test']);

/**
 * The owner of a record as people write it: empty or `@` for the apex, `www`, `www.example.com`, `www.example.com.`, `_sip._tcp`.
 * A dotted name that does not end in the zone is below it, unless it ends like a name of the public tree: that one is a mistake.
 */
export function ownerName(text: string, origin: Name): Name {
  const written = text.trim();
  if (written === '' || written === '@') return origin;
  const whole = parseName(written, { origin, dotless: 'absolute-if-dotted' });
  if (isSubdomain(whole, origin)) return whole;
  const last = whole.slice(0, -1).split('.').at(-1)!;
  if (written.endsWith('.') || reserved.has(last) || isTopLevel(last)) {
    const below = written.endsWith('.') ? '' : `; for a name below it write ${whole}${origin}`;
    throw new NameError(`"${written.slice(0, 260)}" is not in the zone ${origin}${below}`);
  }
  return parseName(written, { origin });
}

function isTopLevel(label: string): boolean {
  return parse(`x.${label}`, { allowPrivateDomains: false }).isIcann === true;
}
