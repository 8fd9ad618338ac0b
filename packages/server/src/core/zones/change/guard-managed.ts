import type { Name } from '@namehold/dns';
import { Refusal } from '../../errors.ts';
import type { ManagingService, StoredRRset } from '../zone.ts';
import type { ZoneDraft } from './draft.ts';

/** What a service needs to itself at a name: any of these, written by somebody else, would lead past it. */
export const claimedTypes: Readonly<Record<ManagingService, ReadonlySet<string>>> = {
  url_forwarding: new Set(['A', 'AAAA', 'CNAME', 'HTTPS']),
  // Records of a proof stand beside the owner's for a minute; who overwrites them makes an order fail, which is made again.
  acme: new Set(),
};

const serviceWords: Readonly<Record<ManagingService, string>> = {
  url_forwarding: 'URL forwarding',
  acme: 'A certificate order',
};

/** The service that has this place to itself. The name must have been loaded. */
export function keeperOf(draft: ZoneDraft, name: Name, type: string): ManagingService | undefined {
  if (draft.released.has(name)) return undefined;
  const delegates = type === 'NS' && name !== draft.zone.name;
  for (const { managedBy } of draft.before().get(name)?.values() ?? [])
    if (managedBy && (delegates || claimedTypes[managedBy].has(type))) return managedBy;
  return undefined;
}

/** The owner's edits at such a place are refused; where a whole zone is written or rolled back, they are left out and told. */
export function guardManaged(draft: ZoneDraft, way: 'refuse' | 'leave'): void {
  for (const { name, type, after, field, by } of draft.edits()) {
    const keeper = by ? undefined : keeperOf(draft, name, type);
    if (!keeper || isSame(draft.before().get(name)?.get(type), after)) continue;
    if (way === 'refuse') throw keptRefusal(keeper, name, type, field);
    draft.leave(name, type);
    const reason = `${serviceWords[keeper]} keeps the addresses of this name: ${after ? 'what was sent is left out' : 'they stay'}`;
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

function keptRefusal(service: ManagingService, name: Name, type: string, field: string): Refusal {
  const message = `${serviceWords[service]} keeps the addresses of ${name}: end it there first, or take the name over`;
  return new Refusal('managed_record', `${name} ${type}: ${message}`, {
    errors: [{ field, code: 'managed_record', message }],
    facts: { service, record: { name, type } },
  });
}
