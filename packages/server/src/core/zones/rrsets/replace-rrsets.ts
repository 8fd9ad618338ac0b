import type { Actor, AppContext } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import { zoneName } from '../../model/zone.ts';
import type { EditOrder, ZoneChanged } from '../../model/zone-task.ts';
import { changeZone } from '../change/change-zone.ts';
import type { ZoneDraft } from '../change/draft.ts';
import { isLargeZone } from '../large.ts';
import { applyEdits, nameEdits } from './edit-rrsets.ts';
import { isLargeEdit } from './patch-rrsets.ts';

/** Replaces the content of the zone by exactly these RRsets. Without an NS at the apex the present one stays, because a zone needs one. */
export async function replaceRRsets(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: EditOrder,
): Promise<ZoneChanged> {
  const { workers } = ctx;
  if (workers && (isLargeEdit(order) || (await isLargeZone(ctx, domain))))
    return workers.change(actor, { kind: 'replace', domain, order });
  const edits = nameEdits(
    order.rrsets.map((edit) => ({ ...edit, action: 'replace' as const })),
    zoneName(domain.name),
  );
  const { expected, isDryRun = false, comment = null } = order;
  return changeZone(ctx, actor, domain, { kind: 'replace', expected, isDryRun, comment }, async (draft) => {
    await draft.loadAll();
    applyEdits(draft, edits);
    removeOthers(draft);
  });
}

/** Removes everything that the new content does not name, except the nameservers of the zone itself. */
export function removeOthers(draft: ZoneDraft): void {
  const isApexNs = (name: string, type: string) => name === draft.zone.name && type === 'NS';
  if (!draft.isEdited(draft.zone.name, 'NS')) {
    draft.warnings.push({
      name: draft.zone.name,
      type: 'NS',
      reason: 'the nameservers of the zone are kept as they are',
    });
  }
  draft.removeAllBut((name, type) => draft.isEdited(name, type) || isApexNs(name, type), 'rrsets');
}
