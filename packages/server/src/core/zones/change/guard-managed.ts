import type { Name } from '@namehold/dns';
import { Refusal } from '../../errors.ts';
import type { ManagingService, StoredRRset } from '../../model/zone.ts';
import type { ZoneDraft } from './draft.ts';

const addressTypes: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'HTTPS']);

/** Whether records of a service exclude other records of this type at the same name, because those would bypass the service. */
export function isClaimed(service: ManagingService, keptType: string, type: string): boolean {
  switch (service) {
    case 'url_forwarding':
      return addressTypes.has(type);
    case 'mail_forwarding':
      return type === keptType || type === 'CNAME';
    case 'mta_sts':
      return keptType === 'TXT' ? type === 'TXT' || type === 'CNAME' : addressTypes.has(type);
    // Challenge records exist beside the owner's for a minute. Overwriting them makes a certificate order fail, which is then repeated.
    case 'acme':
      return false;
  }
}

const serviceLabels: Readonly<Record<ManagingService, string>> = {
  url_forwarding: 'URL forwarding manages the addresses of',
  mail_forwarding: 'Email forwarding manages the mail records of',
  mta_sts: 'MTA-STS of email forwarding manages the records of',
  acme: 'A certificate order manages records of',
};

/** The reason for records that a roll-back leaves unchanged. */
export const keptReason = (service: ManagingService): string =>
  `${serviceLabels[service]} this name: its earlier records are not restored`;

/** The service that manages this name and type. The name must have been loaded. */
export function keeperOf(draft: ZoneDraft, name: Name, type: string): ManagingService | undefined {
  const delegates = type === 'NS' && name !== draft.zone.name;
  for (const { managedBy, type: kept } of draft.before().get(name)?.values() ?? [])
    if (managedBy && (delegates || isClaimed(managedBy, kept, type)) && !draft.isReleased(name, managedBy))
      return managedBy;
  return undefined;
}

/** The owner's edits of managed records are refused. When a whole zone is written or rolled back, they are left out with a warning. */
export function guardManaged(draft: ZoneDraft, way: 'refuse' | 'leave'): void {
  for (const { name, type, after, field, by } of draft.edits()) {
    const keeper = by ? undefined : keeperOf(draft, name, type);
    if (!keeper || isSame(draft.before().get(name)?.get(type), after)) continue;
    if (way === 'refuse') throw keptRefusal(keeper, name, type, field);
    draft.leave(name, type);
    const reason = `${serviceLabels[keeper]} this name: ${after ? 'the sent records are left out' : 'its records stay'}`;
    draft.warnings.push({ name, type, reason });
  }
}

function isSame(before: StoredRRset | undefined, after: StoredRRset | undefined): boolean {
  const texts = (set: StoredRRset | undefined) =>
    set?.records
      .map((record) => record.text)
      .sort()
      .join('\n');
  return before?.ttl === after?.ttl && texts(before) === texts(after);
}

export function keptRefusal(service: ManagingService, name: Name, type: string, field: string): Refusal {
  const message = `${serviceLabels[service]} ${name}. End that service first, or take over the record.`;
  return new Refusal('managed_record', `${name} ${type}: ${message}`, {
    errors: [{ field, code: 'managed_record', message }],
    facts: { service, record: { name, type } },
  });
}
