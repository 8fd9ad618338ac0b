import type { Actor, AppContext } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import { zoneName } from '../../model/zone.ts';
import type { EditOrder, ZoneChanged } from '../../model/zone-task.ts';
import { changeZone } from '../change/change-zone.ts';
import { recordsTakenOver } from '../effects.ts';
import { zoneLimits } from '../limits.ts';
import { applyEdits, nameEdits } from './edit-rrsets.ts';

export function isLargeEdit({ rrsets }: EditOrder): boolean {
  return rrsets.reduce((sum, edit) => sum + 1 + (edit.records?.length ?? 0), 0) > zoneLimits.lightRecords;
}

/** Many edits in one transaction. RRsets that are not named stay. */
export async function patchRRsets(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: EditOrder,
): Promise<ZoneChanged> {
  if (ctx.workers && isLargeEdit(order)) return ctx.workers.change(actor, { kind: 'patch', domain, order });
  const edits = nameEdits(order.rrsets, zoneName(domain.name));
  const about = [...new Set(edits.map((edit) => edit.owner))];
  const { expected, isDryRun = false, comment = null } = order;
  return changeZone(ctx, actor, domain, { kind: 'change', expected, about, isDryRun, comment }, async (draft) => {
    await draft.load(about);
    if (order.takesOver) await ctx.effects.run(recordsTakenOver, { ctx, actor, domain, draft, places: edits });
    applyEdits(draft, edits);
  });
}
