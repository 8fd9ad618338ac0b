import { TSIG_ALGORITHMS, type TsigAlgorithm, type TsigKey } from '@namehold/dns';

export const engines = ['knot', 'bind', 'nsd', 'powerdns', 'embedded', 'other'] as const;
export type Engine = (typeof engines)[number];

/** A nameserver that takes our zones, with its secret opened. */
export interface Nameserver {
  readonly id: string;
  readonly engine: Engine;
  readonly address: string;
  readonly port: number;
  /** Signs its transfers and our NOTIFYs. */
  readonly key: TsigKey | undefined;
  /** Known by its address alone, for what it asks without a signature. */
  readonly allowUnsigned: boolean;
  readonly isPublic: boolean;
  readonly createdAt: Date;
}

export const defaultTsigAlgorithm: TsigAlgorithm = 'hmac-sha256';
export const tsigSecretBytes = 32;

export function isTsigAlgorithm(text: string): text is TsigAlgorithm {
  return Object.hasOwn(TSIG_ALGORITHMS, text);
}

/** Our own responder follows the database; every other one is told by NOTIFY and fetches the zone. */
export function takesTransfers(nameserver: Pick<Nameserver, 'engine'>): boolean {
  return nameserver.engine !== 'embedded';
}

/** NSD of Debian 12 reads no catalog zones (they came with 4.9.0): its zones are added with nsd-control. */
export function readsCatalog(nameserver: Pick<Nameserver, 'engine'>): boolean {
  return nameserver.engine !== 'embedded' && nameserver.engine !== 'nsd';
}
