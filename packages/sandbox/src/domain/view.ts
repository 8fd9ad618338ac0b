import type {
  AnswerExtensions,
  DomainInfData,
  DomainInfoRequest,
  NameServers,
  RgpAnswer,
  SecDnsRecords,
} from '@namehold/epp';
import { provenance } from '../registry/provenance.ts';
import { sandboxTldOf } from '../tlds/index.ts';
import { type DomainRecord, gracesAt, type Phase, roidOf } from './record.ts';

/** RFC 5731 2.3: pending states and inactive follow from the data; ok is never combined with another. */
export function statusesOf(domain: DomainRecord): string[] {
  const statuses = [...domain.statuses];
  if (domain.phase === 'pendingCreate') statuses.push('pendingCreate');
  if (domain.phase === 'expired' && !statuses.includes('serverHold')) statuses.push('serverHold');
  if (isDeleted(domain.phase)) statuses.push('pendingDelete');
  if (domain.transferPending) statuses.push('pendingTransfer');
  if (nameServerCount(domain) === 0) statuses.push('inactive');
  return statuses.length > 0 ? statuses : ['ok'];
}

export const isDeleted = (phase: Phase): boolean =>
  phase === 'redemption' || phase === 'pendingRestore' || phase === 'pendingDelete';

const rgpOfPhase: Partial<Record<Phase, string>> = {
  redemption: 'redemptionPeriod',
  pendingRestore: 'pendingRestore',
  pendingDelete: 'pendingDelete',
};
const rgpOfGrace = {
  add: 'addPeriod',
  renew: 'renewPeriod',
  autoRenew: 'autoRenewPeriod',
  transfer: 'transferPeriod',
} as const;

/** RFC 3915 3.1. */
export function rgpStatusesOf(domain: DomainRecord, at: Date): string[] {
  const phase = rgpOfPhase[domain.phase];
  if (phase !== undefined) return [phase];
  if (domain.phase === 'pendingCreate') return [];
  return [...new Set(gracesAt(domain, at).map((grace) => rgpOfGrace[grace.kind]))];
}

export const rgpAnswer = (domain: DomainRecord, at: Date): RgpAnswer => ({
  statuses: rgpStatusesOf(domain, at).map((value) => ({ value })),
});

const nameServerCount = (domain: DomainRecord): number => domain.nsAttributes?.length ?? domain.hosts.length;

function nameServersOf(domain: DomainRecord): NameServers | undefined {
  if (nameServerCount(domain) === 0) return undefined;
  if (domain.nsAttributes !== null) return { model: 'attributes', hosts: domain.nsAttributes };
  return { model: 'objects', hosts: domain.hosts };
}

/** RFC 5731 2.3: a status may have a text with its reason. */
const noteOn = ({ reviewNote }: DomainRecord, status: string) =>
  status === 'pendingCreate' && reviewNote !== null ? { text: reviewNote } : {};

/** RFC 5731 3.1.2: contacts are for the sponsor and for a registrar with the authInfo. The authInfo itself is stored as a hash. */
export function domainInfo(
  domain: DomainRecord,
  options: { readonly hosts: DomainInfoRequest['hosts']; readonly full: boolean },
): DomainInfData {
  const hosts = options.hosts ?? 'all';
  const ns = hosts === 'all' || hosts === 'del' ? nameServersOf(domain) : undefined;
  return {
    object: 'domain',
    type: 'infData',
    name: domain.name,
    roid: roidOf('D', domain.id),
    statuses: statusesOf(domain).map((value) => ({ value, ...noteOn(domain, value) })),
    ...(options.full && domain.registrant !== null ? { registrant: domain.registrant } : {}),
    contacts: options.full ? domain.contacts : [],
    ...(ns === undefined ? {} : { ns }),
    hosts: hosts === 'all' || hosts === 'sub' ? domain.subordinates : [],
    ...provenance(domain),
    exDate: domain.expiresAt,
  };
}

/** RFC 5910 4: in the interface of the TLD. */
function secDnsOf({ tld, ds }: DomainRecord): SecDnsRecords {
  const takesKeys = sandboxTldOf.get(tld)?.rules.dnssec === 'key';
  return takesKeys ? { kind: 'key', records: ds.flatMap(({ key }) => key ?? []) } : { kind: 'ds', records: ds };
}

export function infoExtensions(domain: DomainRecord, at: Date, full: boolean): AnswerExtensions {
  const rgp = rgpAnswer(domain, at);
  return {
    ...(rgp.statuses.length > 0 ? { rgp } : {}),
    ...(domain.ds.length > 0 ? { secDNS: secDnsOf(domain) } : {}),
    ...(full && Object.keys(domain.extensions).length > 0 ? { tld: domain.extensions } : {}),
  };
}
