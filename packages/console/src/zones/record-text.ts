import { quoteRawText } from '@namehold/dns/editor';

/** Record contents for the forms of the record wizard. */

interface SpfForm {
  readonly includes: readonly string[];
  readonly addresses: readonly string[];
  readonly usesMx: boolean;
  readonly usesA: boolean;
  readonly end: '-all' | '~all' | '?all';
}

/** RFC 7208, section 4.6.4. */
export const maxSpfLookups = 10;

export function spfText({ includes, addresses, usesMx, usesA, end }: SpfForm): string {
  const ranges = addresses.map((each) => `${each.includes(':') ? 'ip6' : 'ip4'}:${each}`);
  const parts = [
    'v=spf1',
    ...(usesA ? ['a'] : []),
    ...(usesMx ? ['mx'] : []),
    ...ranges,
    ...includes.map((each) => `include:${each}`),
    end,
  ];
  return quoteRawText(parts.join(' '));
}

/** DNS lookups of this record, without those of included records. */
export function spfLookups(text: string): number {
  const words = unquoted(text).split(/\s+/);
  return words.filter((word) => /^[+?~-]?(?:include:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr|exists:)|^redirect=/i.test(word))
    .length;
}

interface DmarcForm {
  readonly policy: 'none' | 'quarantine' | 'reject';
  readonly reports: string;
  readonly percent: number;
}

export function dmarcText({ policy, reports, percent }: DmarcForm): string {
  const address = reports.trim().replace(/^mailto:/i, '');
  const parts = [
    'v=DMARC1',
    `p=${policy}`,
    ...(percent < 100 ? [`pct=${percent}`] : []),
    ...(address ? [`rua=mailto:${address}`] : []),
  ];
  return quoteRawText(parts.join('; '));
}

interface DkimKey {
  readonly text: string;
  readonly kind: 'rsa' | 'ed25519' | 'revoked';
  readonly bits: number;
}

/** Reads a DKIM key from a zone file, a provider's page or a PEM block. */
export function readDkim(pasted: string): DkimKey | undefined {
  const pem = /-----BEGIN PUBLIC KEY-----([\s\S]+?)-----END PUBLIC KEY-----/.exec(pasted)?.[1];
  const flat = pem
    ? `v=DKIM1; k=rsa; p=${pem.replaceAll(/\s/g, '')}`
    : unquoted(pasted).replace(/^.*?(?=v=DKIM1|k=|p=)/is, '');
  const tags = new Map(
    flat.split(';').flatMap((part) => {
      const at = part.indexOf('=');
      return at < 0
        ? []
        : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).replaceAll(/\s/g, '')] as const];
    }),
  );
  const key = tags.get('p');
  if (key === undefined || !/^[A-Za-z0-9+/]*={0,2}$/.test(key)) return undefined;
  const isEd = tags.get('k') === 'ed25519';
  const otherTags = [...tags].filter(([tag]) => tag !== 'v' && tag !== 'p').map(([tag, value]) => `${tag}=${value}`);
  const text = quoteRawText(['v=DKIM1', ...otherTags, `p=${key}`].join('; '));
  if (key === '') return { text, kind: 'revoked', bits: 0 };
  return { text, kind: isEd ? 'ed25519' : 'rsa', bits: isEd ? 256 : rsaBits(key) };
}

/** Estimates the key size from the length, because usual sizes are far apart. */
function rsaBits(base64: string): number {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
  return [1_024, 2_048, 3_072, 4_096, 8_192].find((bits) => bytes <= bits / 8 + 60) ?? bytes * 8;
}

export const mxText = (priority: number, host: string): string => `${priority} ${full(host)}`;

interface SrvForm {
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly target: string;
}

export const srvOwner = (service: string, protocol: string, below: string): string =>
  [`_${service.replace(/^_/, '')}`, `_${protocol.replace(/^_/, '')}`, ...(below && below !== '@' ? [below] : [])].join(
    '.',
  );
export const srvText = ({ priority, weight, port, target }: SrvForm): string =>
  `${priority} ${weight} ${port} ${full(target)}`;

export const caaText = (tag: 'issue' | 'issuewild' | 'iodef', value: string): string =>
  `0 ${tag} ${quoteRawText(value)}`;

export const tlsaOwner = (port: number, protocol: string, host: string): string =>
  [`_${port}`, `_${protocol}`, ...(host && host !== '@' ? [host] : [])].join('.');
export const tlsaText = (usage: number, selector: number, matching: number, digest: string): string =>
  `${usage} ${selector} ${matching} ${digest.replaceAll(/[\s:]/g, '')}`;

export function httpsText(priority: number, target: string, alpn: readonly string[]): string {
  const host = target === '' || target === '@' || target === '.' ? '.' : full(target);
  return [priority, host, ...(alpn.length > 0 ? [`alpn=${alpn.join(',')}`] : [])].join(' ');
}

const full = (host: string): string => (host.endsWith('.') || !host.includes('.') ? host : `${host}.`);

function unquoted(text: string): string {
  const trimmed = text.trim();
  const strings = [...trimmed.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]!.replaceAll(/\\(.)/g, '$1'));
  return strings.length > 0 ? strings.join('') : trimmed;
}
