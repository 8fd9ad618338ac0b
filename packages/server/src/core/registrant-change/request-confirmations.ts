import { addDays } from '@namehold/base';
import type { Reader, Tx } from '@namehold/postgres';
import { type Actor, type AppContext, actingId, write } from '../app-context.ts';
import { recordRegistrantChangeRequested } from '../approvals/registrant-change-events.ts';
import { Refusal } from '../errors.ts';
import { lockAddress } from '../links/link.sql.ts';
import { makeLink } from '../links/link.ts';
import type { Approval } from '../model/approval.ts';
import type { Operation } from '../model/operation.ts';
import type { RegistrantChange, Side } from '../model/registrant-change.ts';
import { type NewNotice, notify } from '../notices/notify.ts';
import { type Registrant, registrantChangePolicy } from '../policy/registrant.ts';
import { namesText, type Parties, partiesOf } from './parties.ts';
import { sidesOf } from './path.ts';
import { findWaitingChange, sideLinksSince, waitingChanges } from './registrant-change.sql.ts';

/** At most one waiting change per domain, and per contact. */
export async function refuseSecondChange(
  db: Reader,
  resellerId: string,
  of: Parameters<typeof waitingChanges>[2],
): Promise<{ readonly n: number }> {
  const waiting = await waitingChanges(db, resellerId, of);
  if (waiting.id !== null)
    throw new Refusal(
      'conflict',
      `A change of registrant is already waiting for confirmation, as operation ${waiting.id}. Reject that one first.`,
      { facts: { operationId: waiting.id } },
    );
  return waiting;
}

/** What the operation waits for. */
export function confirmationsOf(
  ctx: AppContext,
  actor: Actor,
  change: {
    readonly registrantChange: RegistrantChange;
    readonly former: Pick<Registrant, 'email'>;
    readonly present: Pick<Registrant, 'email'>;
    readonly wanted: Approval['wanted'];
    readonly waiting: number;
  },
): Approval {
  if (change.waiting >= registrantChangePolicy.waiting)
    throw new Refusal(
      'conflict',
      `${registrantChangePolicy.waiting} changes of registrant are already waiting for confirmation. Reject some of them first.`,
    );
  return {
    change: 'holder',
    wanted: change.wanted,
    scopes: ['domains:write'],
    asked_by: actingId(actor) ?? '',
    until: addDays(ctx.clock.now(), registrantChangePolicy.confirmDays).toISOString(),
    awaits: 'holders',
    sides: Object.fromEntries(sidesOf(change.former, change.present).map((side) => [side, null])),
    lock_opt_out: change.registrantChange.isLockWaived,
  };
}

type WaitingOperation = Pick<Operation, 'id' | 'reseller_id' | 'domain_id' | 'contact_id'> & {
  readonly approval: Approval;
};

/** In the transaction of the order: the mails to both sides, and the event. */
export async function requestConfirmations(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  waitingOperation: WaitingOperation,
  parties: Parties,
): Promise<void> {
  for (const side of Object.keys(waitingOperation.approval.sides ?? {}) as Side[])
    await writeToSide(ctx, tx, waitingOperation, parties, side);
  await recordRegistrantChangeRequested(ctx, tx, actor, { ...waitingOperation, names: parties.names });
}

async function writeToSide(
  ctx: AppContext,
  tx: Tx,
  waitingOperation: WaitingOperation,
  parties: Parties,
  side: Side,
  more: Pick<NewNotice, 'promised'> = {},
): Promise<void> {
  const to = side === 'prior' ? parties.former : parties.present;
  const { reseller_id: resellerId } = waitingOperation;
  const until = new Date(waitingOperation.approval.until);
  const { domainId } = parties;
  const change = { operationId: waitingOperation.id, side };
  const { token, link } = await makeLink(ctx, tx, { resellerId, domainId, to, expiresAt: until, change });
  const facts = {
    domain: namesText(parties),
    former: registrantName(parties.former),
    present: registrantName(parties.present),
    link,
    until,
  };
  await notify(ctx, tx, { kind: 'holder_change_asked', resellerId, to, facts, domainId, token, ...more });
}

export const registrantName = ({ name, company }: Pick<Registrant, 'name' | 'company'>): string =>
  company === '' || company === name ? name : `${name}, ${company}`;

const dayMs = 86_400_000;

/** Sends the mails again, to the sides that have not confirmed. Undefined: no such request waits for the domain. */
export async function resendConfirmations(
  ctx: AppContext,
  actor: Actor,
  domain: Parameters<typeof findWaitingChange>[2] & { readonly name: string },
): Promise<{ readonly domainId: string } | undefined> {
  const db = ctx.db.as(actor.resellerId);
  if (!(await findWaitingChange(db, actor.resellerId, domain))) return undefined;
  return write(ctx, actor, async (tx) => {
    const operation = await findWaitingChange(tx, actor.resellerId, domain);
    const parties = operation && (await partiesOf(ctx, tx, operation));
    const open = Object.entries(operation?.approval?.sides ?? {}).flatMap(([side, at]) => (at ? [] : [side as Side]));
    const isOver = operation?.approval_until && operation.approval_until <= ctx.clock.now();
    if (!operation?.approval || !parties || isOver || open.length === 0)
      throw new Refusal('conflict', `The change of registrant of ${domain.name} can no longer be confirmed.`);
    const since = new Date(ctx.clock.now().getTime() - dayMs);
    for (const side of open) {
      await lockAddress(tx, actor.resellerId, (side === 'prior' ? parties.former : parties.present).email);
      if ((await sideLinksSince(tx, operation.id, side, since)) >= registrantChangePolicy.mailsPerDay)
        throw new Refusal(
          'conflict',
          `The limit of ${registrantChangePolicy.mailsPerDay} such mails a day is reached. Try again tomorrow.`,
        );
      await writeToSide(ctx, tx, { ...operation, approval: operation.approval }, parties, side, { promised: {} });
    }
    return { domainId: domain.id };
  });
}
