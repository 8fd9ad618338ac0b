import { defineType } from './define.ts';
import { u16 } from './field.ts';
import { hostName, warnHost } from './host-field.ts';

/** RFC 2782; the target "." means that the service is not available. */
export const SRV = defineType('SRV', 33, [u16('priority'), u16('weight'), u16('port'), hostName('target')], {
  warn: (rdata) => warnHost('target', rdata.target),
});
