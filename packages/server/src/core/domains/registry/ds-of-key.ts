import { dsOfKey as digestOf } from '@namehold/dns';
import type { DsRecord, KeyData } from '../../ports/registry.ts';

/** A key, identified by the DS record that its registry computes from it. */
export function dsOfKey(name: string, algorithm: number, key: KeyData): DsRecord {
  const publicKey = Buffer.from(key.pubkey, 'base64');
  const { keyTag, digestType, digest } = digestOf(`${name}.`, { ...key, algorithm, publicKey });
  return { keytag: keyTag, algorithm, digesttype: digestType, digest, key };
}
