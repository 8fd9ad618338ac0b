import { RecordError } from '../error.ts';
import { ROOT } from '../name.ts';
import { defineType } from './define.ts';
import { u16 } from './field.ts';
import { hostName, refuseRoot, warnHost } from './host-field.ts';

/** RFC 1035 3.3.9; RFC 7505 3: "0 ." means that the domain accepts no mail. "." with another preference is undefined. */
export const MX = defineType('MX', 15, [u16('preference'), hostName('exchange')], {
  check: (rdata) => {
    if (rdata.exchange === ROOT && rdata.preference !== 0) {
      throw new RecordError('preference', 'the null MX is written "0 ."');
    }
  },
  warn: (rdata) => warnHost('exchange', rdata.exchange),
});

/** RFC 2230 3.1 */
export const KX = defineType('KX', 36, [u16('preference'), hostName('exchanger')], {
  check: (rdata) => refuseRoot('exchanger', rdata.exchanger),
  warn: (rdata) => warnHost('exchanger', rdata.exchanger),
});

/** RFC 1183 1 */
export const AFSDB = defineType('AFSDB', 18, [u16('subtype'), hostName('hostname')], {
  check: (rdata) => refuseRoot('hostname', rdata.hostname),
  warn: (rdata) => warnHost('hostname', rdata.hostname),
});
