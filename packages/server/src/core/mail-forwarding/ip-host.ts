import { isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Matches an IP address where an address has its domain, with or without brackets. A last label that is a number is enough (RFC 3696 2: no
 * top-level domain is all numeric). An extended regular expression that Postfix reads too, without regard to case.
 */
export const ipHostPattern = '(\\[|([^@]*:[^@]*|([^@]*\\.)?([0-9]+|0x[0-9a-f]*)\\.*)$)';

const ipHost = new RegExp(`^${ipHostPattern}`, 'i');

/** Also an IP address in full-width digits. */
export const isIpHost = (host: string): boolean => ipHost.test(host) || isIPv4(domainToASCII(host));
