import { createHash } from 'node:crypto';
import { decodeRdata, type Name, nameToWire } from '@namehold/dns';
import type { DsRecord } from '../../ports/registry.ts';

const digestNames: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/** RFC 4034 5.1.4: the digest is over the owner name and the rdata of the key. */
export function isDigestOf(ds: DsRecord, owner: Name, dnskey: Uint8Array): boolean {
  const hash = digestNames[ds.digesttype];
  if (hash === undefined || decodeRdata('DNSKEY', dnskey).algorithm !== ds.algorithm) return false;
  const digest = createHash(hash).update(nameToWire(owner)).update(dnskey).digest('hex');
  return digest === ds.digest.toLowerCase();
}
