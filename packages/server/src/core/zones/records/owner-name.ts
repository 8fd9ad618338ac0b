import { isSubdomain, labelsOf, type Name, NameError, parseName } from '@namehold/dns';
import { parse } from 'tldts';

/** RFC 6761: top-level names that are in no list because they cannot be registered. */
const reserved = new Set(['example', 'invalid', 'localhost', 'test']);

/**
 * The owner of a record in the usual forms: empty or `@` for the apex, `www`, `www.example.com`, `www.example.com.`, `_sip._tcp`. A
 * dotted name that does not end in the zone is below it, unless it ends in a public TLD: that one is a mistake.
 */
export function ownerName(text: string, origin: Name): Name {
  const written = text.trim();
  if (written === '' || written === '@') return origin;
  const whole = parseName(written, { origin, dotless: 'absolute-if-dotted' });
  if (isSubdomain(whole, origin)) return whole;
  const last = labelsOf(whole).at(-1)!;
  if (written.endsWith('.') || reserved.has(last) || isTopLevel(last)) {
    const below = written.endsWith('.') ? '' : `; for a name below it write ${whole}${origin}`;
    throw new NameError(`"${written.slice(0, 260)}" is not in the zone ${origin}${below}`);
  }
  return parseName(written, { origin });
}

/** Record types with a target name, and the position of that name in the text. */
const pointers: Readonly<Record<string, number>> = {
  NS: 0,
  CNAME: 0,
  DNAME: 0,
  PTR: 0,
  MX: 1,
  HTTPS: 1,
  SVCB: 1,
  SRV: 3,
};

/**
 * In records a dotted name without its final dot is complete, as users mean it: mail.example.net. If it does not end in a top-level name
 * (ns.sub), it may have been meant as relative.
 */
export function dubiousTarget(type: string, record: string, origin: Name): string | undefined {
  const at = pointers[type];
  const written = at === undefined ? undefined : record.trim().split(/\s+/)[at];
  if (written === undefined || !/[^.]\.[^.]+$/.test(written)) return undefined;
  const last = written.slice(written.lastIndexOf('.') + 1).toLowerCase();
  if (reserved.has(last) || isTopLevel(last) || isSubdomain(`${written.toLowerCase()}.`, origin)) return undefined;
  return `"${written.slice(0, 260)}" is read as a complete name; for one below the zone write ${written.slice(0, 260)}.${origin}`;
}

function isTopLevel(label: string): boolean {
  return parse(`x.${label}`, { allowPrivateDomains: false }).isIcann === true;
}
