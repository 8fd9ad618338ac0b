import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import type { EventAt } from '../effects.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import type { Domain } from '../model/domain.ts';
import { commitDraft } from '../zones/change/commit.ts';
import { ZoneDraft } from '../zones/change/draft.ts';
import { keeperOf } from '../zones/change/guard-managed.ts';
import { giveUp } from '../zones/change/managed-records.ts';
import type { recordsTakenOver, zoneEnding } from '../zones/effects.ts';
import { lockZone } from '../zones/zone.sql.ts';
import { forwardsOf, lockMailDomain, putForward, saveMailDomain } from './mail-domain.sql.ts';
import { endSts, moveSts, stsKeeper, stsOf } from './mta-sts.ts';
import { isOn } from './read.ts';
import { mailKeeper, moveMailRecords } from './records.ts';

/** Disables every address and keeps it, so that it can be enabled again. */
async function switchOff(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  domain: Domain,
  cause: 'taken_over' | 'zone_deleted',
): Promise<void> {
  const row = await lockMailDomain(tx, domain);
  const now = ctx.wall.now();
  const version = row.version + 1;
  await saveMailDomain(tx, domain, { receive_only: false, version, changed_at: now });
  for (const forward of await forwardsOf(tx, domain))
    if (forward.enabled) await putForward(tx, domain, { ...forward, enabled: false }, now);
  const event = lifeEvent(domain, 'mail_forwarding.ended', { version, cause });
  await appendEvent(ctx, tx, { ...event, requestId: actor.requestId });
}

/** Ends mail forwarding when the zone ends. The owner's records are restored first, so that a roll-back contains them and not ours. */
export async function endMailWithZone({ ctx, tx, actor, domain }: EventAt<typeof zoneEnding>): Promise<void> {
  const row = await lockMailDomain(tx, domain);
  const on = isOn(await forwardsOf(tx, domain));
  if (!on && row.sts_mode === null) return;
  const draft = new ZoneDraft(tx, (await lockZone(tx, domain.reseller_id, domain.id))!);
  await endSts(ctx, draft, domain, stsOf(row));
  if (on) await moveMailRecords(draft, ctx.config, { receiveOnly: row.receive_only }, undefined, false);
  await commitDraft(ctx, actor, draft, { kind: 'change', comment: 'Mail forwarding ends' });
  if (on) await switchOff(ctx, tx, actor, domain, 'zone_deleted');
}

/** The owner sets own MTA-STS records: ours are removed and do not return while mail is forwarded. */
async function takeStsOver(
  ctx: AppContext,
  domain: Domain,
  draft: ZoneDraft,
  places: readonly { readonly owner: string; readonly kind: string }[],
): Promise<void> {
  const kept = places.filter(({ owner, kind }) => keeperOf(draft, owner, kind) === stsKeeper.service);
  if (kept.length === 0) return;
  const present = stsOf(await lockMailDomain(draft.tx, domain));
  await giveUp(draft, stsKeeper, [...new Set(kept.map(({ owner }) => owner))]);
  await endSts(ctx, draft, domain, present, { mode: 'off', since: null });
}

/** Ends what needs records at names where the owner sets own ones, before these are put on the draft. */
export async function takeMailOver(taken: EventAt<typeof recordsTakenOver>): Promise<void> {
  const { ctx, actor, domain, draft, places } = taken;
  await takeStsOver(ctx, domain, draft, places);
  const kept = places.filter(({ owner, kind }) => keeperOf(draft, owner, kind) === mailKeeper.service);
  if (kept.length === 0) return;
  const row = await lockMailDomain(draft.tx, domain);
  const before = { receiveOnly: row.receive_only };
  const names = [...new Set(kept.map(({ owner }) => owner))];
  await giveUp(draft, mailKeeper, names);
  if (names.includes(draft.zone.name)) {
    await moveMailRecords(draft, ctx.config, before, undefined, false);
    await moveSts(ctx, draft, domain, stsOf(row), { isOn: false, replacesRecords: false });
    return switchOff(ctx, draft.tx, actor, domain, 'taken_over');
  }
  // Only records for senders (receive-only) were replaced, so forwarding continues.
  await moveMailRecords(draft, ctx.config, before, { receiveOnly: false }, false);
  const version = row.version + 1;
  await saveMailDomain(draft.tx, domain, { receive_only: false, version, changed_at: ctx.wall.now() });
  const addresses = (await forwardsOf(draft.tx, domain)).length;
  const event = lifeEvent(domain, 'mail_forwarding.changed', { version, addresses });
  await appendEvent(ctx, draft.tx, { ...event, requestId: actor.requestId });
}
