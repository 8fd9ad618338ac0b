import { RecordError } from '../error.ts';
import { labelsOf } from '../name.ts';
import { defineType } from './define.ts';
import { DNSSEC_ALGORITHMS } from './dnssec-algorithm.ts';
import { domainName, type Field, mnemonic, parseWhole, u8, u16, u32 } from './field.ts';
import { base64Rest } from './octets-field.ts';
import { findTypeCode, typeName } from './type-code.ts';

const typeCovered: Field<'typeCovered', number> = {
  ...u16('typeCovered'),
  parse: (words) => {
    const text = words.word('typeCovered');
    const code = findTypeCode(text);
    if (code === undefined) throw new RecordError('typeCovered', `"${text}" is not a record type`);
    return code;
  },
  print: typeName,
};

/** RFC 4034 3.2: YYYYMMDDHHmmSS in UTC, or seconds since 1970 modulo 2^32. */
function moment<K extends string>(name: K): Field<K, number> {
  return {
    ...u32(name),
    parse: (words) => {
      const text = words.word(name);
      const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)?.slice(1).map(Number);
      if (!parts) return parseWhole(name, text, 0xffff_ffff);
      const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
      const unixMs = Date.UTC(year, month - 1, day, hour, minute, second);
      if (momentText(unixMs / 1000) !== text) throw new RecordError(name, `"${text}" is not a time`);
      return (unixMs / 1000) % 0x1_0000_0000;
    },
    print: momentText,
  };
}

function momentText(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 14);
}

/** RFC 4034 3 */
export const RRSIG = defineType(
  'RRSIG',
  46,
  [
    typeCovered,
    mnemonic(u8('algorithm'), DNSSEC_ALGORITHMS),
    u8('labels'),
    u32('originalTtl'),
    moment('expiration'),
    moment('inception'),
    u16('keyTag'),
    domainName('signer'),
    base64Rest('signature'),
  ],
  {
    check: (rdata) => {
      // The signer is the zone of the owner, so the owner has at least as many labels.
      if (rdata.labels < labelsOf(rdata.signer).length)
        throw new RecordError('labels', 'are fewer than the signer has');
    },
  },
);
