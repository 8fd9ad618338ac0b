import { TSIG_ALGORITHMS, type TsigAlgorithm, type TsigKey } from '@namehold/dns';

export const engines = ['knot', 'bind', 'nsd', 'powerdns', 'embedded', 'other'] as const;
export type Engine = (typeof engines)[number];

/** A nameserver that receives our zones, with its decrypted secret. */
export interface Nameserver {
  readonly id: string;
  readonly engine: Engine;
  readonly address: string;
  readonly port: number;
  /** Signs its transfers and our NOTIFY messages. */
  readonly key: TsigKey | undefined;
  /** Whether unsigned requests from its address are accepted. */
  readonly allowUnsigned: boolean;
  readonly isPublic: boolean;
  readonly createdAt: Date;
}

export const defaultTsigAlgorithm: TsigAlgorithm = 'hmac-sha256';
export const tsigSecretBytes = 32;

export function isTsigAlgorithm(text: string): text is TsigAlgorithm {
  return Object.hasOwn(TSIG_ALGORITHMS, text);
}

/** Our own nameserver follows the database; all others get NOTIFY and transfer the zone. */
export function takesTransfers(nameserver: Pick<Nameserver, 'engine'>): boolean {
  return nameserver.engine !== 'embedded';
}

/** NSD of Debian 12 does not support catalog zones (added in 4.9.0), so its zones are added with nsd-control. */
export function readsCatalog(nameserver: Pick<Nameserver, 'engine'>): boolean {
  return nameserver.engine !== 'embedded' && nameserver.engine !== 'nsd';
}
