import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import type { Zone } from '../../model/zone.ts';
import { commitDraft } from '../change/commit.ts';
import { ZoneDraft } from '../change/draft.ts';
import { nameEdits } from '../rrsets/edit-rrsets.ts';
import type { DefaultTemplate } from '../templates/default.sql.ts';
import { contentOfDefault } from '../templates/default.ts';
import { fillIn } from '../templates/fill-in.ts';
import { putTemplate } from '../templates/put-template.ts';
import type { TemplateRRset } from '../templates/template.ts';

/** The parking page has addresses of both families: if the template contains a server, none of them stays. */
async function leaveParking(draft: ZoneDraft, filled: readonly TemplateRRset[]): Promise<void> {
  const { name } = draft.zone;
  const parked = [name, `www.${name}`];
  await draft.load(parked);
  const brought = nameEdits(filled, name).filter(({ kind }) => /^(?:A|AAAA|CNAME)$/.test(kind));
  for (const owner of parked) {
    const types = brought.filter((edit) => edit.owner === owner).map(({ kind }) => kind);
    for (const type of types.length === 0 ? [] : ['A', 'AAAA'])
      if (!types.includes(type) && draft.rrset(owner, type)) draft.remove(owner, type, 'rrsets');
  }
}

/**
 * A new zone with the account's default template: an ordinary change, the second in its history. A template that no longer fits does not
 * make a paid order fail: the zone stays without it, and that is reported.
 */
export async function beginWithDefault(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  zone: Zone,
  chosen: DefaultTemplate,
): Promise<Zone> {
  const domainName = zone.name.slice(0, -1);
  const draft = new ZoneDraft(tx, zone);
  try {
    const template = contentOfDefault(chosen);
    const filled = fillIn(template, domainName, chosen.given);
    await leaveParking(draft, filled);
    await putTemplate(draft, filled, { onConflict: 'replace', choices: new Map() });
    return (await commitDraft(ctx, actor, draft, { kind: 'template', comment: template.name })).zone;
  } catch (error) {
    // Refused before anything is written; any other error aborts the transaction.
    if (!(error instanceof Refusal)) throw error;
    await appendEvent(ctx, tx, {
      resellerId: zone.reseller_id,
      type: 'zone.template_refused',
      objectId: zone.domain_id,
      requestId: actor.requestId,
      payload: {
        domain_id: zone.domain_id,
        domain_name: domainName,
        serial: zone.serial,
        zone_template_id: chosen.template_id,
        reason: error.message,
      },
    });
    return zone;
  }
}
