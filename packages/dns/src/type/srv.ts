import { defineType } from './define.ts';
import { u16 } from './field.ts';
import { hostName, warnHost } from './host-field.ts';

/** RFC 2782; the target "." says that the service is not offered. */
export const SRV = defineType('SRV', 33, [u16('priority'), u16('weight'), u16('port'), hostName('target')], {
  warn: (rdata) => warnHost('target', rdata.target),
});
