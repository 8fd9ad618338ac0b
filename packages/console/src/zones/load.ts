import { type Name, readZoneFile } from '@namehold/dns/editor';
import { useEffect, useState } from 'preact/hooks';
import { call, send } from '../api/call.ts';
import { ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import type { RRsetText } from './draft.ts';

export interface LoadedZone {
  readonly domainId: string;
  readonly origin: Name;
  /** Undefined: no zone yet. */
  readonly zone: Schema<'Zone'> | undefined;
  readonly serial: number;
  readonly sets: readonly RRsetText[];
}

/** Finds a domain by name or id. */
async function findDomain(name: string): Promise<{ readonly id: string; readonly name: string }> {
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
  if (!found) throw new ApiError(404, { code: 'not_found' });
  return { id: String(found.domain_id), name: found.domain_name };
}

/** Reads a zone by name or id, page by page, and reports progress. Without a zone, the domain is looked up. */
async function loadZone(of: string, onProgress: (records: number) => void = () => undefined): Promise<LoadedZone> {
  const path = { domain_id: of };
  const read = (after?: string) =>
    call('get', '/domains/{domain_id}/zone/rrsets', { path, query: after ? { after } : {} });
  const sets: RRsetText[] = [];
  try {
    const [{ body: zone }, first] = await Promise.all([call('get', '/domains/{domain_id}/zone', { path }), read()]);
    const { serial } = first.body;
    for (let page = first.body; ; ) {
      // The zone changed between two pages: start again.
      if (page.serial !== serial) return await loadZone(of, onProgress);
      for (const set of page.rrsets) sets.push(set);
      onProgress(sets.length);
      if (!page.next_after) return { domainId: zone.domain_id, origin: zone.name, zone, serial, sets };
      page = (await read(page.next_after)).body;
    }
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.status !== 404) throw cause;
    const { id, name } = await findDomain(of);
    return { domainId: id, origin: `${name}.`, zone: undefined, serial: 0, sets: [] };
  }
}

/** The zone at a serial, as the base of a draft or for a rollback. */
export async function loadZoneAt(domainId: string, origin: Name, serial: number): Promise<RRsetText[]> {
  const { body } = await send('get', `/v1/domains/${domainId}/zone/history/${serial}`, undefined);
  return readZoneFile(String(body), { origin }).rrsets.map(({ name, type, ttl, records }) => ({
    name,
    type,
    ttl,
    records: records.map((record) => record.text),
  }));
}

interface Loading {
  readonly loaded: LoadedZone | undefined;
  readonly error: ApiError | undefined;
  readonly count: number;
  again(): Promise<LoadedZone | undefined>;
  put(loaded: LoadedZone): void;
}

export function useZone(name: string): Loading {
  const [loaded, setLoaded] = useState<LoadedZone>();
  const [error, setError] = useState<ApiError>();
  const [count, setCount] = useState(0);
  const again = async () => {
    try {
      const found = await loadZone(name, setCount);
      setLoaded(found);
      setError(undefined);
      return found;
    } catch (cause) {
      setError(asApiError(cause));
      return undefined;
    }
  };
  useEffect(() => void again(), [name]);
  return { loaded, error, count, again, put: setLoaded };
}
