import fc, { type Arbitrary } from 'fast-check';
import { buildRRset, checkZone, DnsError, type RRset } from '../src/index.ts';
import { hostLabel, RDATA_TEXT } from './arbitrary.ts';

export const ORIGIN = 'zone.test.';
const SIGNER_TYPES = new Set([
  'RRSIG',
  'NSEC',
  'NSEC3',
  'NSEC3PARAM',
  'ZONEMD',
  'DNSKEY',
  'CDNSKEY',
  'CDS',
  'CSYNC',
  'DS',
  'NS',
  'DNAME',
  'CNAME',
]);
const PLAIN_TYPES = Object.keys(RDATA_TEXT).filter((type) => !SIGNER_TYPES.has(type));

const owner: Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '', '', '*.', '_x.'), fc.array(hostLabel, { minLength: 1, maxLength: 3 }))
  .map(([head, labels]) => `${head}${labels.join('.')}.${ORIGIN}`);

const limits = {
  minTtlSeconds: 0,
  maxTtlSeconds: 0x7fff_ffff,
  maxRecords: 100,
  maxWireOctets: 64_000,
  allowUnknownTypes: true,
};

export function built(name: string, type: string, ttl: number, records: readonly string[]): RRset | undefined {
  try {
    return buildRRset({ name, type, ttl, records }, { origin: ORIGIN }, limits).rrset;
  } catch (error) {
    if (error instanceof DnsError) return undefined;
    throw error;
  }
}

const ttl = fc.constantFrom(60, 300, 3600, 86_400, 2_147_483_647);

const plainSet: Arbitrary<RRset | undefined> = fc
  .constantFrom(...PLAIN_TYPES)
  .chain((type) =>
    fc
      .tuple(
        fc.oneof(owner, fc.constant(ORIGIN)),
        ttl,
        fc.uniqueArray(RDATA_TEXT[type]!, { minLength: 1, maxLength: 3 }),
      )
      .map(([name, seconds, records]) => built(name, type, seconds, records)),
  );

const aliasSet = fc
  .tuple(owner, ttl, RDATA_TEXT.CNAME!)
  .map(([name, seconds, target]) => built(name, 'CNAME', seconds, [target]));

/** A delegation with glue, and a DS. */
const delegation: Arbitrary<(RRset | undefined)[]> = fc
  .tuple(hostLabel, ttl, RDATA_TEXT.DS!, fc.ipV4())
  .map(([label, seconds, ds, address]) => {
    const cut = `${label}.${ORIGIN}`;
    return [
      built(cut, 'NS', seconds, [`ns1.${cut}`, 'ns.elsewhere.test.']),
      built(`ns1.${cut}`, 'A', seconds, [address]),
      built(cut, 'DS', seconds, [ds]),
    ];
  });

/** RRsets that together obey all zone rules; conflicting ones are omitted. */
export const zoneSets: Arbitrary<RRset[]> = fc
  .tuple(
    fc.array(plainSet, { minLength: 5, maxLength: 30 }),
    fc.array(aliasSet, { maxLength: 5 }),
    fc.array(delegation, { maxLength: 2 }),
  )
  .map(([plain, aliases, delegations]) => {
    let zone = [
      built(ORIGIN, 'SOA', 3600, ['ns1.elsewhere.test. hostmaster.elsewhere.test. 1 3600 600 86400 300'])!,
      built(ORIGIN, 'NS', 3600, ['ns1.elsewhere.test.', 'ns2.elsewhere.test.'])!,
    ];
    for (const set of [...plain, ...aliases, ...delegations.flat()]) {
      if (!set || zone.some((other) => other.name === set.name && other.type === set.type)) continue;
      if (checkZone(ORIGIN, [...zone, set]).errors.length === 0 || set.type === 'NS') zone.push(set);
    }
    // A delegation without its glue is removed.
    while (checkZone(ORIGIN, zone).errors.length > 0) {
      const bad = checkZone(ORIGIN, zone).errors[0]!;
      zone = zone.filter((set) => !(set.name === bad.name && set.type === bad.type));
    }
    return zone;
  });
