import type { HostInfData, IpAddress } from '@namehold/epp';
import { roidOf } from '../domain/record.ts';
import { type Provenance, provenance } from '../registry/provenance.ts';

export interface HostRecord extends Provenance {
  readonly id: string;
  readonly name: string;
  readonly superordinate: string | null;
  readonly statuses: readonly string[];
  readonly addresses: readonly IpAddress[];
  readonly linked: boolean;
}

/** RFC 5732 2.3: linked may be combined with any other; ok only with linked. */
export function hostInfo(host: HostRecord): HostInfData {
  const statuses = host.statuses.length > 0 ? [...host.statuses] : ['ok'];
  if (host.linked) statuses.push('linked');
  return {
    object: 'host',
    type: 'infData',
    name: host.name,
    roid: roidOf('H', host.id),
    statuses: statuses.map((value) => ({ value })),
    addresses: host.addresses,
    ...provenance(host),
  };
}
