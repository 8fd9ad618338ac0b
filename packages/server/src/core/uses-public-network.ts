import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';

export const isLocal = (address: string): boolean => ipaddr.process(address).range() === 'loopback';

/** From a sandbox nothing leaves the machine: it asks a resolver of the machine, or nobody. */
export function usesPublicNetwork(config: Pick<Config, 'mode' | 'resolvers'>): boolean {
  if (config.mode !== 'sandbox') return true;
  const resolvers = config.resolvers.map((each) => each.replace(/^([\d.]+|\[.*\]):\d+$/, '$1').replace(/^\[|\]$/g, ''));
  return resolvers.length > 0 && resolvers.every(isLocal);
}
