import { isDeepStrictEqual } from 'node:util';
import { allTenants, type Reader, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import type { Domain } from '../model/domain.ts';
import { changeZone, type Edited } from '../zones/change/change-zone.ts';
import type { ZoneDraft } from '../zones/change/draft.ts';
import { takesMail } from './address.ts';
import { catchAll, type MailForward, mailLimits } from './forward.ts';
import { refuseLoops } from './loops.ts';
import {
  deleteForwards,
  forwardsOf,
  lockForLoopCheck,
  lockMailDomain,
  type MailSettingsRow,
  putForward,
  saveMailDomain,
} from './mail-domain.sql.ts';
import { moveSts, stsOf } from './mta-sts.ts';
import { isOn, type MailStatus, mailStatusOf } from './read.ts';
import { type MailSetup, moveMailRecords } from './records.ts';
import { requestConsents } from './request-consent.ts';

/** Stored mail settings of a domain. */
export interface MailState {
  readonly forwards: readonly MailForward[];
  readonly receiveOnly: boolean;
}

export interface MailOrder {
  /** The address of the change. Undefined: the whole domain. */
  readonly localPart?: string;
  /** Computes the new state from the present one, inside the transaction. */
  edit(present: MailState): MailState;
  /** The field of the call that contains the targets. */
  readonly field: 'forward_to' | 'email' | 'enabled';
  readonly replacesRecords: boolean;
  readonly isDryRun?: boolean;
}

export interface MailChanged {
  readonly mailStatus: MailStatus;
  readonly localPart: string | undefined;
  readonly isDryRun: boolean;
  readonly warnings: readonly string[];
}

/** Changes addresses, targets and records of one domain in one transaction. */
export async function setMail(ctx: AppContext, actor: Actor, domain: Domain, order: MailOrder): Promise<MailChanged> {
  if (!takesMail(ctx.config))
    throw new Refusal('not_available_yet', 'Email forwarding is not offered: your provider has not set it up.');
  const { isDryRun = false } = order;
  const options = { kind: 'change', comment: 'Mail forwarding', isDryRun } as const;
  return mailChangedOf(
    await changeZone(ctx, actor, domain, options, async (draft) => {
      const row = await lockMailDomain(draft.tx, domain);
      const before = { forwards: await forwardsOf(draft.tx, domain), receiveOnly: row.receive_only };
      const after = order.edit(before);
      const saved = await store(ctx, actor, draft, domain, { row, before, after, field: order.field });
      await moveMailRecords(draft, ctx.config, setupOf(before), setupOf(after), order.replacesRecords);
      const sts = await moveSts(ctx, draft, domain, stsOf(row), {
        isOn: isOn(after.forwards),
        replacesRecords: order.replacesRecords,
      });
      const settings = {
        ...saved,
        sts_mode: sts?.mode ?? null,
        sts_since: sts?.since ?? null,
        sts_enforced_until: null,
      };
      const mailStatus = await mailStatusOf(ctx, draft.tx, domain, settings, after.forwards);
      const warnings = draft.warnings.map(({ name, type, reason }) => `${name} ${type}: ${reason}`);
      return { mailStatus, localPart: order.localPart, isDryRun, warnings };
    }),
  );
}

/** The result without publication, if the zone did not change. */
export function mailChangedOf({ value, isChanged }: Edited<MailChanged>): MailChanged {
  return isChanged ? { ...value, mailStatus: { ...value.mailStatus, isPublished: false } } : value;
}

const setupOf = ({ forwards, receiveOnly }: MailState): MailSetup | undefined =>
  isOn(forwards) ? { receiveOnly } : undefined;

interface Step {
  readonly row: MailSettingsRow;
  readonly before: MailState;
  readonly after: MailState;
  readonly field: string;
}

async function store(
  ctx: AppContext,
  actor: Actor,
  { tx }: ZoneDraft,
  domain: Domain,
  { row, before, after, field }: Step,
): Promise<MailSettingsRow> {
  if (isDeepStrictEqual(before, after)) return row;
  if (after.forwards.filter(({ local_part }) => local_part !== catchAll).length > mailLimits.addressesPerDomain)
    throw badField('email', `A domain can have at most ${mailLimits.addressesPerDomain} addresses.`, 'too_many');
  const former = new Map(before.forwards.map((forward) => [forward.local_part, forward]));
  const changed = after.forwards.filter((forward) => !isDeepStrictEqual(forward, former.get(forward.local_part)));
  const kept = new Set(after.forwards.map((forward) => forward.local_part));
  const gone = [...former.keys()].filter((localPart) => !kept.has(localPart));
  const touched = [...changed.map((one) => one.local_part), ...gone];
  await refuseLoopsUnderLock(ctx, tx, (db) => refuseLoops(db, domain.name, after.forwards, touched, field));
  const now = ctx.wall.now();
  const saved = { ...row, receive_only: after.receiveOnly, version: row.version + 1, changed_at: now };
  await saveMailDomain(tx, domain, saved);
  await deleteForwards(tx, domain, gone);
  for (const forward of changed) await putForward(tx, domain, forward, now);
  const wanted = changed.filter((forward) => forward.enabled).flatMap((forward) => forward.targets);
  await requestConsents(ctx, tx, domain, wanted);
  await recordMail(ctx, actor, tx, domain, { saved, before, after, touched });
  return saved;
}

/** If targets are at domains of this service, checks again under the lock, so that no other writer can close a loop. */
async function refuseLoopsUnderLock(ctx: AppContext, tx: Tx, hasLoop: (db: Reader) => Promise<boolean>): Promise<void> {
  const db = ctx.db.as(allTenants);
  if (!(await hasLoop(db))) return;
  await lockForLoopCheck(tx);
  await hasLoop(db);
}

async function recordMail(
  ctx: AppContext,
  actor: Actor,
  tx: Tx,
  domain: Domain,
  change: { saved: MailSettingsRow; before: MailState; after: MailState; touched: readonly string[] },
): Promise<void> {
  const { saved, before, after, touched } = change;
  const shown = ({ forwards, receiveOnly }: MailState) => ({
    receive_only: receiveOnly,
    addresses: forwards.filter((forward) => touched.includes(forward.local_part)),
  });
  await audit(ctx, tx, actor, {
    action: 'mail_forwarding.change',
    objectType: 'domain',
    objectId: domain.id,
    before: shown(before),
    after: { version: saved.version, ...shown(after) },
  });
  const { version } = saved;
  const event = isOn(after.forwards)
    ? lifeEvent(domain, 'mail_forwarding.changed', { version, addresses: after.forwards.length })
    : lifeEvent(domain, 'mail_forwarding.ended', { version, cause: 'off' });
  await appendEvent(ctx, tx, { ...event, requestId: actor.requestId });
}
