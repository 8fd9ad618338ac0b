import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';

export const isLocal = (address: string): boolean => ipaddr.process(address).range() === 'loopback';

/** A sandbox sends nothing beyond the machine: it queries a resolver of the machine, or none. */
export function usesPublicNetwork(config: Pick<Config, 'mode' | 'resolvers'>): boolean {
  if (config.mode !== 'sandbox') return true;
  const resolvers = config.resolvers.map((each) => each.replace(/^([\d.]+|\[.*\]):\d+$/, '$1').replace(/^\[|\]$/g, ''));
  return resolvers.length > 0 && resolvers.every(isLocal);
}
