import { MAX_TTL_SECONDS, parseDuration } from '../duration.ts';
import { RecordError } from '../error.ts';
import { defineType } from './define.ts';
import { domainName, type Field, u32 } from './field.ts';
import { hostName } from './host-field.ts';

function seconds<K extends string>(name: K): Field<K, number> {
  return {
    ...u32(name),
    parse: (words) => {
      const text = words.word(name);
      const value = parseDuration(text);
      if (value === undefined) throw new RecordError(name, `"${text}" is not a time in seconds`);
      if (value > MAX_TTL_SECONDS) throw new RecordError(name, `${text} is over ${MAX_TTL_SECONDS} seconds`);
      return value;
    },
  };
}

/** RFC 1035 3.3.13 */
export const SOA = defineType('SOA', 6, [
  hostName('mname'),
  domainName('rname'),
  u32('serial'),
  seconds('refresh'),
  seconds('retry'),
  seconds('expire'),
  seconds('minimum'),
]);
