import type { CaaRecord as NodeCaa } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { CaaRecord, NameLookup } from '../core/ports/certificate-authority.ts';

const answerMs = 3_000;
const tries = 2;
const nothing = new Set(['ENODATA', 'ENOTFOUND']);

/** DNS lookups. `servers` empty: the resolvers of the machine. */
export function nameLookup(servers: readonly string[]): NameLookup {
  const resolver = new Resolver({ timeout: answerMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  const query = async <T>(question: () => Promise<T[]>): Promise<T[]> => {
    try {
      return await question();
    } catch (error) {
      if (nothing.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
  return {
    async addresses(host) {
      const four = await query(() => resolver.resolve4(host));
      return [...four, ...(await query(() => resolver.resolve6(host)))];
    },
    async texts(host) {
      const found = await query(() => resolver.resolveTxt(host));
      return found.map((pieces) => pieces.join(''));
    },
    async caa(host) {
      const labels = host.split('.');
      for (const at of labels.keys()) {
        const found = await query(() => resolver.resolveCaa(labels.slice(at).join('.')));
        if (found.length > 0) return found.map(caaRecord);
      }
      return [];
    },
  };
}

/** Node returns the tag as the property name. */
function caaRecord({ critical, ...property }: NodeCaa): CaaRecord {
  const [[tag, value] = ['', '']] = Object.entries(property).filter(([name]) => name !== 'type');
  return { tag, value: String(value), isCritical: critical !== 0 };
}
