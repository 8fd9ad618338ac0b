import { createHash } from 'node:crypto';
import { type Name, nameToWire } from './name.ts';

interface DnsKey {
  readonly flags: number;
  readonly protocol: number;
  readonly algorithm: number;
  readonly publicKey: Uint8Array;
}

/** RFC 4509: SHA-256. */
const DIGEST_TYPE = 2;

/** RFC 4034 5.1.4 and appendix B: the DS record of a key. */
export function dsOfKey(owner: Name, key: DnsKey): { keyTag: number; digestType: number; digest: string } {
  const head = [key.flags >> 8, key.flags & 0xff, key.protocol, key.algorithm];
  const rdata = Uint8Array.from([...head, ...key.publicKey]);
  let sum = 0;
  for (const [place, octet] of rdata.entries()) sum += place % 2 === 0 ? octet << 8 : octet;
  const keyTag = (sum + ((sum >> 16) & 0xffff)) & 0xffff;
  const digest = createHash('sha256').update(nameToWire(owner)).update(rdata).digest('hex').toUpperCase();
  return { keyTag, digestType: DIGEST_TYPE, digest };
}
