import { isSubdomain, type Name } from '@namehold/dns/editor';
import type { RRsetText } from './draft.ts';

/** The words that a sentence is made of, in a language. */
export interface SentenceWords {
  readonly answers: (name: string, what: string, time: string) => string;
  readonly isAlias: (name: string, target: string) => string;
  readonly mailTo: (name: string, host: string, priority: string) => string;
  readonly noMail: (name: string) => string;
  readonly service: (name: string, host: string, port: string) => string;
  readonly issuer: (name: string, who: string) => string;
  readonly noIssuer: (name: string) => string;
  readonly says: (name: string, text: string) => string;
  readonly delegated: (name: string, host: string) => string;
  readonly other: (name: string, type: string, text: string) => string;
  readonly every: (name: string) => string;
  readonly doubled: (name: string) => string;
  readonly seconds: (count: number) => string;
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly days: (count: number) => string;
}

export function duration(seconds: number, w: SentenceWords): string {
  if (seconds % 86_400 === 0) return w.days(seconds / 86_400);
  if (seconds % 3_600 === 0) return w.hours(seconds / 3_600);
  if (seconds % 60 === 0) return w.minutes(seconds / 60);
  return w.seconds(seconds);
}

const plain = (name: Name) => (name === '.' ? '.' : name.replace(/\.$/, ''));
const longestShown = 60;
const short = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);

/** The record in hand in words, with the full name that it becomes. */
export function sentenceOf(set: Pick<RRsetText, 'name' | 'type' | 'ttl'>, text: string, w: SentenceWords): string {
  const name = set.name.startsWith('*.') ? w.every(plain(set.name.slice(2))) : plain(set.name);
  const words = text.trim().split(/\s+/);
  const last = plain(words.at(-1) ?? '');
  switch (set.type) {
    case 'A':
    case 'AAAA':
      return w.answers(name, text.trim(), duration(set.ttl, w));
    case 'CNAME':
      return w.isAlias(name, last);
    case 'MX':
      return words.at(-1) === '.' ? w.noMail(name) : w.mailTo(name, last, words[0] ?? '');
    case 'SRV':
      return w.service(name, last, words[2] ?? '');
    case 'CAA':
      return words[1] === 'issue' || words[1] === 'issuewild'
        ? issuer(name, words.slice(2).join(' '), w)
        : w.other(name, 'CAA', short(text));
    case 'NS':
      return w.delegated(name, last);
    case 'TXT':
    case 'SPF':
      return w.says(name, short(text.replaceAll(/"\s+"/g, '').replaceAll(/^"|"$/g, '')));
    default:
      return w.other(name, set.type, short(text));
  }
}

function issuer(name: string, quoted: string, w: SentenceWords): string {
  const who = quoted.replaceAll('"', '').split(';')[0]!.trim();
  return who === '' ? w.noIssuer(name) : w.issuer(name, who);
}

/** `www.example.org.example.com` is hardly what somebody meant: a full name of another domain was typed as a relative one. */
export function looksDoubled(name: Name, origin: Name): boolean {
  if (name === origin || !isSubdomain(name, origin)) return false;
  const inner = name.slice(0, -origin.length - 1).split('.');
  const last = inner.at(-1)?.toLowerCase() ?? '';
  return inner.length >= 2 && /^(?:com|net|org|info|biz|id|io|dev|app|co|de|uk|eu|nl|sg|my)$/.test(last);
}
