import { call } from '../api/call.ts';
import type { LoadedZone } from './load.ts';

const followMs = [500, 1_500, 4_000, 10_000];

/** Refreshes the nameserver status for a while after a change. */
export function followPublication(loaded: LoadedZone, onLoaded: (loaded: LoadedZone) => void): void {
  const [first = 0, ...later] = followMs;
  const check = async (waits: readonly number[]) => {
    const { body } = await call('get', '/domains/{domain_id}/zone', { path: { domain_id: loaded.domainId } });
    if (body.serial !== loaded.serial) return;
    onLoaded({ ...loaded, zone: body });
    const [next, ...rest] = waits;
    if (body.publication.state !== 'published' && next !== undefined)
      setTimeout(() => check(rest).catch(() => undefined), next);
  };
  setTimeout(() => check(later).catch(() => undefined), first);
}
