/** Parts that sample requests and answers share. */
export const at = (day: string) => new Date(`${day}T00:00:00.000Z`);
export const authInfo = { pw: '2fooBAR-auth' };
export const trn = {
  trStatus: 'pending',
  reID: 'ClientX',
  reDate: at('2026-06-08'),
  acID: 'ClientY',
  acDate: at('2026-06-13'),
} as const;
export const stamps = {
  clID: 'ClientX',
  crID: 'ClientY',
  crDate: at('2025-04-03'),
  upID: 'ClientX',
  upDate: at('2025-12-03'),
  trDate: at('2026-04-08'),
} as const;
export const SAMPLE_IDS = { clTRID: 'ABC-12345', svTRID: '54322-XYZ' };
const DIGEST = '49FD46E6C4B45C55D4AC69CBD3CD34AC1AFE51DE4E2E0F2A0E1D5D8E2B7F6A10';
export const ds = { keyTag: 12345, alg: 13, digestType: 2, digest: DIGEST };
export const key = { flags: 257, protocol: 3, alg: 13, pubKey: 'AQPJ////4Q==' };
export const addr = { street: ['123 Example Dr.', 'Suite 100'], city: 'Dulles', sp: 'VA', pc: '20166-6503', cc: 'US' };
export const postal = [
  { type: 'int', name: 'John Doe', org: 'Example Inc.', addr },
  { type: 'loc', name: 'Jön Dö', addr: { street: [], city: 'Köln', cc: 'DE' } },
] as const;
export const disclose = { flag: false, name: ['int', 'loc'], addr: ['loc'], voice: true, email: true } as const;
export const pending = (granted: boolean) => ({ granted, paTRID: SAMPLE_IDS, paDate: at('2026-04-04') });
export const addresses = [
  { address: '192.0.2.2', version: 'v4' },
  { address: '2001:db8::1', version: 'v6' },
] as const;

export const SAMPLE_GREETING = {
  svID: 'Example EPP server',
  svDate: at('2026-06-08'),
  versions: ['1.0'],
  langs: ['en', 'fr'],
  objURIs: ['urn:ietf:params:xml:ns:domain-1.0', 'urn:ietf:params:xml:ns:contact-1.0'],
  extURIs: ['urn:ietf:params:xml:ns:secDNS-1.1', 'urn:ietf:params:xml:ns:rgp-1.0'],
};
