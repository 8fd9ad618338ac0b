import { rrsetLimits } from '../../../core/zones/limits.ts';
import { id, integer, text } from '../../field.ts';
import type { ContractType } from './record-types.ts';

/** Parameters of the record calls. Only the length of a value is checked here; its type is checked later. */

const maxNameLength = 1_000;
const maxTextLength = 65_535;

export const hostname = text({
  max: maxNameLength,
  min: 0,
  about: 'Host name: complete (www.example-shop.com), relative to the zone (www), or empty or @ for the apex.',
  example: 'www.example-shop.com',
});

const examples: Record<ContractType, string> = {
  ip: '192.0.2.1',
  ipv6: '2001:db8::1',
  cname: 'www.example.net',
  mx: 'mail.example.net',
  ns: 'ns1.example.net',
  srv: 'sip.example.net',
  txt: 'v=spf1 -all',
};

const kinds: Partial<Record<ContractType, string>> = { mx: 'Mail', srv: 'Service', txt: 'Text' };

/** Name of the body in the document. Calls for one record type share it. */
export const bodyName = (segment: ContractType, before: string, after = '') =>
  `${before}${kinds[segment] ?? ''}Record${after}`;

export const article = (type: string) => (/^[CT]/.test(type) ? 'a' : 'an');

/** Each example has its own host, because a CNAME must be the only record of its host. */
const exampleHosts: Record<ContractType, string> = {
  ip: 'www',
  ipv6: 'www',
  cname: 'shop',
  mx: 'post',
  ns: 'branch',
  srv: '_sip._tcp',
  txt: 'text',
};

export const exampleHost = (segment: ContractType) => `${exampleHosts[segment]}.example-shop.com`;

export const exampleValue = (segment: ContractType) => examples[segment];

export function valueField(segment: ContractType) {
  return text({
    max: segment === 'txt' ? maxTextLength : maxNameLength,
    about:
      segment === 'txt'
        ? 'The text without quotes. It can have any length and is split as DNS requires.'
        : 'Record data.',
    example: examples[segment],
  });
}

export const ttl = integer({
  min: rrsetLimits.minTtlSeconds,
  max: rrsetLimits.maxTtlSeconds,
  about: 'Time to live in seconds, for all records with this host and type. An extension of the contract.',
  example: 3_600,
});

const u16 = (about: string, example: number) => integer({ min: 0, max: 65_535, about, example });
export const priority = u16('Preference. Lower values are tried first.', 10);
export const weight = u16('Weight among records of the same priority.', 5);
export const port = u16('Port of the service.', 5060);

export const customer_id = id('If present, the domain must belong to this customer.');
