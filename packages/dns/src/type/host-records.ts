import { defineType } from './define.ts';
import { domainName } from './field.ts';
import { base64Rest, characterString } from './octets-field.ts';

/** RFC 1035 3.3.2 */
export const HINFO = defineType('HINFO', 13, [characterString('cpu'), characterString('os')]);
/** RFC 1183 2.2 */
export const RP = defineType('RP', 17, [domainName('mailbox'), domainName('text')]);
/** RFC 4701 3.1 */
export const DHCID = defineType('DHCID', 49, [base64Rest('digest')]);
