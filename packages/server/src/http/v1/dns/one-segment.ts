import { isIP } from 'node:net';
import type { ContractWord } from './record-words.ts';

/**
 * One segment where the contract has two: an empty one fell away. Nearly always it is the value, which is then in the body; but
 * `/dns/ip//192.0.2.1` names a record of the zone itself, and what is left in the path is its value.
 */
export function nameInOneSegment(
  word: ContractWord,
  segment: string,
  value: string | undefined,
): { readonly hostname: string; readonly value: string | undefined } {
  const isAddress = (word === 'ip' || word === 'ipv6') && isIP(segment) !== 0;
  return isAddress ? { hostname: '', value: segment } : { hostname: segment, value };
}
