import { isSubdomain, type Name } from '@namehold/dns/editor';
import type { RRsetText } from './draft.ts';

/** The messages of record descriptions. */
interface SentenceMessages {
  readonly answers: (name: string, what: string, time: string) => string;
  readonly isAlias: (name: string, target: string) => string;
  readonly mailTo: (name: string, host: string, priority: string) => string;
  readonly noMail: (name: string) => string;
  readonly service: (name: string, host: string, port: string) => string;
  readonly issuer: (name: string, who: string) => string;
  readonly noIssuer: (name: string) => string;
  readonly hasText: (name: string, text: string) => string;
  readonly delegated: (name: string, host: string) => string;
  readonly other: (name: string, type: string, text: string) => string;
  readonly every: (name: string) => string;
  readonly doubled: (name: string) => string;
  readonly seconds: (count: number) => string;
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly days: (count: number) => string;
}

export function duration(seconds: number, t: SentenceMessages): string {
  if (seconds % 86_400 === 0) return t.days(seconds / 86_400);
  if (seconds % 3_600 === 0) return t.hours(seconds / 3_600);
  if (seconds % 60 === 0) return t.minutes(seconds / 60);
  return t.seconds(seconds);
}

const plain = (name: Name) => (name === '.' ? '.' : name.replace(/\.$/, ''));
const longestShown = 60;
const short = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);

/** Describes a record with its full name. */
export function sentenceOf(set: Pick<RRsetText, 'name' | 'type' | 'ttl'>, text: string, t: SentenceMessages): string {
  const name = set.name.startsWith('*.') ? t.every(plain(set.name.slice(2))) : plain(set.name);
  const parts = text.trim().split(/\s+/);
  const last = plain(parts.at(-1) ?? '');
  switch (set.type) {
    case 'A':
    case 'AAAA':
      return t.answers(name, text.trim(), duration(set.ttl, t));
    case 'CNAME':
      return t.isAlias(name, last);
    case 'MX':
      return parts.at(-1) === '.' ? t.noMail(name) : t.mailTo(name, last, parts[0] ?? '');
    case 'SRV':
      return t.service(name, last, parts[2] ?? '');
    case 'CAA':
      return parts[1] === 'issue' || parts[1] === 'issuewild'
        ? issuer(name, parts.slice(2).join(' '), t)
        : t.other(name, 'CAA', short(text));
    case 'NS':
      return t.delegated(name, last);
    case 'TXT':
    case 'SPF':
      return t.hasText(name, short(text.replaceAll(/"\s+"/g, '').replaceAll(/^"|"$/g, '')));
    default:
      return t.other(name, set.type, short(text));
  }
}

function issuer(name: string, quoted: string, t: SentenceMessages): string {
  const who = quoted.replaceAll('"', '').split(';')[0]!.trim();
  return who === '' ? t.noIssuer(name) : t.issuer(name, who);
}

/** RFC 952: a host name has no hyphen at the ends of a label. */
export const hasHyphenAtEnd = (name: Name): boolean => name.split('.').some((label) => /^-|-$/.test(label));

/** Detects a full name of another domain typed as a relative name, such as `www.example.org.example.com`. */
export function isDoubled(name: Name, origin: Name): boolean {
  if (name === origin || !isSubdomain(name, origin)) return false;
  const inner = name.slice(0, -origin.length - 1).split('.');
  const last = inner.at(-1)?.toLowerCase() ?? '';
  return inner.length >= 2 && /^(?:com|net|org|info|biz|id|io|dev|app|co|de|uk|eu|nl|sg|my)$/.test(last);
}
