import { buildRRset, type RecordData } from '@namehold/dns';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import type { Domain } from '../model/domain.ts';
import type { Proof } from '../ports/certificate-authority.ts';
import { changeZone } from '../zones/change/change-zone.ts';
import type { ZoneDraft } from '../zones/change/draft.ts';
import { certificateLimits } from './certificate.ts';

const field = 'certificate';
const service = 'acme';

/** Adds the records of these proofs to the zone beside the owner's records. Existing ones stay. */
export function placeProofs(ctx: AppContext, domain: Domain, proofs: readonly Proof[]): Promise<void> {
  return editProofs(ctx, domain, proofs, 'certificate order started', (present, ours) => [
    ...present,
    ...ours.filter((record) => !present.some((one) => one.text === record.text)),
  ]);
}

/** Removes only these records. */
export function removeProofs(ctx: AppContext, domain: Domain, proofs: readonly Proof[]): Promise<void> {
  return editProofs(ctx, domain, proofs, 'certificate order ended', (present, ours) =>
    present.filter((record) => !ours.some((one) => one.text === record.text)),
  );
}

async function editProofs(
  ctx: AppContext,
  domain: Domain,
  proofs: readonly Proof[],
  comment: string,
  edit: (present: readonly RecordData[], ours: readonly RecordData[]) => readonly RecordData[],
): Promise<void> {
  if (proofs.length === 0) return;
  const actor = schedulerFor(domain, 'certificate');
  await changeZone(ctx, actor, domain, { kind: 'change', comment }, async (draft: ZoneDraft) => {
    const byOwner = Map.groupBy(proofs, (proof) => `_acme-challenge.${proof.name}.`);
    await draft.load(byOwner.keys());
    for (const [name, some] of byOwner) {
      const present = draft.rrset(name, 'TXT');
      const ttl = present?.ttl ?? certificateLimits.recordTtlSeconds;
      const records = some.map((proof) => `"${proof.value}"`);
      const ours = buildRRset({ name, type: 'TXT', ttl, records }, { origin: name }).rrset.records;
      const after = edit(present?.records ?? [], ours);
      const isOwners = present !== undefined && present.managedBy !== service;
      draft.put(
        { name, type: 'TXT', ttl, records: after, ...(isOwners ? {} : { managedBy: service }) },
        field,
        service,
      );
    }
  });
}
