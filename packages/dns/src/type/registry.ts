import { A, AAAA } from './address-records.ts';
import { APL } from './apl.ts';
import { CAA } from './caa.ts';
import { CERT, OPENPGPKEY, SMIMEA, SSHFP, TLSA } from './certificate-records.ts';
import { CDS, DS } from './dnssec-delegation.ts';
import { CDNSKEY, DNSKEY } from './dnssec-key.ts';
import { EUI48, EUI64 } from './eui.ts';
import { genericType } from './generic.ts';
import { DHCID, HINFO, RP } from './host-records.ts';
import { IPSECKEY } from './ipseckey.ts';
import { LOC } from './loc.ts';
import { AFSDB, KX, MX } from './mail-records.ts';
import { CNAME, DNAME, NS, PTR } from './name-records.ts';
import { NAPTR } from './naptr.ts';
import { CSYNC, NSEC, NSEC3, NSEC3PARAM } from './nsec.ts';
import type { RecordType } from './record-type.ts';
import { RRSIG } from './rrsig.ts';
import { SOA } from './soa.ts';
import { SRV } from './srv.ts';
import { HTTPS, SVCB } from './svcb.ts';
import { SPF, TXT } from './txt.ts';
import { typeCode } from './type-code.ts';
import { URI } from './uri.ts';
import { ZONEMD } from './zonemd.ts';

/** Every record type with a codec, by mnemonic. */
export const RECORD_TYPES = {
  A,
  AAAA,
  AFSDB,
  APL,
  CAA,
  CDNSKEY,
  CDS,
  CERT,
  CNAME,
  CSYNC,
  DHCID,
  DNAME,
  DNSKEY,
  DS,
  EUI48,
  EUI64,
  HINFO,
  HTTPS,
  IPSECKEY,
  KX,
  LOC,
  MX,
  NAPTR,
  NS,
  NSEC,
  NSEC3,
  NSEC3PARAM,
  OPENPGPKEY,
  PTR,
  RP,
  RRSIG,
  SMIMEA,
  SOA,
  SPF,
  SRV,
  SSHFP,
  SVCB,
  TLSA,
  TXT,
  URI,
  ZONEMD,
} as const;

/** The rdata object of a known type: RdataByType['MX'] is {preference, exchange}. */
export type RdataByType = {
  [T in keyof typeof RECORD_TYPES]: (typeof RECORD_TYPES)[T] extends RecordType<infer R> ? R : never;
};

const BY_CODE = new Map<number, RecordType>(Object.values(RECORD_TYPES).map((type) => [type.code, type as RecordType]));

export function recordTypeByCode(code: number): RecordType {
  return BY_CODE.get(code) ?? genericType(code);
}

export function recordType(mnemonic: string): RecordType {
  return recordTypeByCode(typeCode(mnemonic));
}

export function hasOwnForm(code: number): boolean {
  return BY_CODE.has(code);
}
