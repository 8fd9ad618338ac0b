import { type Name, readZoneFile } from '@namehold/dns/editor';
import { useEffect, useState } from 'preact/hooks';
import { call, send } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, Trouble } from '../api/trouble.ts';
import type { RRsetText } from './draft.ts';

export interface LoadedZone {
  readonly domainId: string;
  readonly origin: Name;
  /** Undefined: there is none yet. */
  readonly zone: Shape<'Zone'> | undefined;
  readonly serial: number;
  readonly sets: readonly RRsetText[];
}

/** By its name, or by its id as other pages know it. */
export async function findDomain(name: string): Promise<{ readonly id: string; readonly name: string }> {
  if (/^\d+$/.test(name)) {
    const { body } = await send('get', `/v1/domains/${name}?fields=order_details`, undefined);
    return { id: name, name: String((body as { domain_name: string }).domain_name) };
  }
  const { body } = await send(
    'get',
    `/v1/domains?exact_domain_name=true&domain_name=${encodeURIComponent(name)}`,
    undefined,
  );
  const found = (body as { domain_id: string | number; domain_name: string }[]).find(
    (each) => each.domain_name === name,
  );
  if (!found) throw new Trouble(404, { code: 'not_found' });
  return { id: String(found.domain_id), name: found.domain_name };
}

/** All of it, in pages; `told` says how far it is. By name or id: the zone says both, and only where there is none the domain is looked for. */
async function loadZone(of: string, told: (records: number) => void = () => undefined): Promise<LoadedZone> {
  const path = { domain_id: of };
  const read = (after?: string) =>
    call('get', '/domains/{domain_id}/zone/rrsets', { path, query: after ? { after } : {} });
  const sets: RRsetText[] = [];
  try {
    const [{ body: zone }, first] = await Promise.all([call('get', '/domains/{domain_id}/zone', { path }), read()]);
    const { serial } = first.body;
    for (let page = first.body; ; ) {
      // Changed between two pages: what was read does not belong together.
      if (page.serial !== serial) return await loadZone(of, told);
      for (const set of page.rrsets) sets.push(set);
      told(sets.length);
      if (!page.next_after) return { domainId: zone.domain_id, origin: zone.name, zone, serial, sets };
      page = (await read(page.next_after)).body;
    }
  } catch (error) {
    if (!(error instanceof Trouble) || error.status !== 404) throw error;
    const { id, name } = await findDomain(of);
    return { domainId: id, origin: `${name}.`, zone: undefined, serial: 0, sets: [] };
  }
}

/** As it was at a serial: what a draft began with, or what is to come back. */
export async function loadOldZone(domainId: string, origin: Name, serial: number): Promise<RRsetText[]> {
  const { body } = await send('get', `/v1/domains/${domainId}/zone/history/${serial}`, undefined);
  return readZoneFile(String(body), { origin }).rrsets.map(({ name, type, ttl, records }) => ({
    name,
    type,
    ttl,
    records: records.map((record) => record.text),
  }));
}

export interface Loading {
  readonly loaded: LoadedZone | undefined;
  readonly trouble: Trouble | undefined;
  readonly count: number;
  again(): Promise<LoadedZone | undefined>;
  put(loaded: LoadedZone): void;
}

export function useZone(name: string): Loading {
  const [loaded, setLoaded] = useState<LoadedZone>();
  const [trouble, setTrouble] = useState<Trouble>();
  const [count, setCount] = useState(0);
  const again = async () => {
    try {
      const found = await loadZone(name, setCount);
      setLoaded(found);
      setTrouble(undefined);
      return found;
    } catch (error) {
      setTrouble(asTrouble(error));
      return undefined;
    }
  };
  useEffect(() => void again(), [name]);
  return { loaded, trouble, count, again, put: setLoaded };
}
