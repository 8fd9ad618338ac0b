import { isIP } from 'node:net';
import type { ContractType } from './record-types.ts';

/**
 * One path segment instead of two: an empty one was dropped. It is usually the value that is empty and sent in the body. But
 * `/dns/ip//192.0.2.1` is a record of the zone apex, and the remaining segment is its value.
 */
export function nameInOneSegment(
  type: ContractType,
  segment: string,
  value: string | undefined,
): { readonly hostname: string; readonly value: string | undefined } {
  const isAddress = (type === 'ip' || type === 'ipv6') && isIP(segment) !== 0;
  return isAddress ? { hostname: '', value: segment } : { hostname: segment, value };
}
