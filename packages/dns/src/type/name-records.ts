import { defineType } from './define.ts';
import { domainName } from './field.ts';
import { hostName, refuseRoot, warnHost } from './host-field.ts';

/** RFC 1035 3.3.11. A nameserver must be a host name: with an address here every secondary drops the delegation. */
export const NS = defineType('NS', 2, [hostName('target')], {
  check: (rdata) => refuseRoot('target', rdata.target),
  warn: (rdata) => warnHost('target', rdata.target),
});
/** RFC 1035 3.3.1 */
export const CNAME = defineType('CNAME', 5, [domainName('target')]);
/** RFC 6672 2.1 */
export const DNAME = defineType('DNAME', 39, [domainName('target')]);
/** RFC 1035 3.3.12 */
export const PTR = defineType('PTR', 12, [domainName('target')]);
