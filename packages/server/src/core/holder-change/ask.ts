import { addDays, type Reader, type Tx } from '@namehold/base';
import type { Approval } from '../approvals/approval.ts';
import { tellAsked } from '../approvals/tell-holder-change.ts';
import { Refusal } from '../errors.ts';
import { type Actor, actingId, type House, write } from '../house.ts';
import { notify } from '../notices/notify.ts';
import type { Operation } from '../operations/operation.ts';
import { type Holder, holderPolicy } from '../policy/holder.ts';
import { makeLink } from '../verification/link.ts';
import { lockAddress } from '../verification/verification.sql.ts';
import { findWaitingChange, sideLinksSince, waitingChanges } from './holder-change.sql.ts';
import type { HolderChange, Side } from './holder-change.ts';
import { namesText, type Parties, partiesOf } from './parties.ts';
import { sidesOf } from './path.ts';

/** One change at a time waits for a name, and for a contact. */
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
  house: House,
  actor: Actor,
  change: {
    readonly holder: HolderChange;
    readonly former: Pick<Holder, 'email'>;
    readonly present: Pick<Holder, 'email'>;
    readonly wanted: Approval['wanted'];
    readonly waiting: number;
  },
): Approval {
  if (change.waiting >= holderPolicy.waiting)
    throw new Refusal(
      'conflict',
      `${holderPolicy.waiting} changes of registrant are already waiting for confirmation. Reject some of them first.`,
    );
  return {
    change: 'holder',
    wanted: change.wanted,
    scopes: ['domains:write'],
    asked_by: actingId(actor) ?? '',
    until: addDays(house.clock.now(), holderPolicy.confirmDays).toISOString(),
    awaits: 'holders',
    sides: Object.fromEntries(sidesOf(change.former, change.present).map((side) => [side, null])),
    lock_opt_out: change.holder.isLockWaived,
  };
}

type Asked = Pick<Operation, 'id' | 'reseller_id' | 'domain_id' | 'contact_id'> & { readonly approval: Approval };

/** In the transaction of the order: the mails to both sides, and the event. */
export async function askSides(house: House, tx: Tx, actor: Actor, asked: Asked, parties: Parties): Promise<void> {
  for (const side of Object.keys(asked.approval.sides ?? {}) as Side[])
    await writeToSide(house, tx, asked, parties, side);
  await tellAsked(house, tx, actor, { ...asked, names: parties.names });
}

async function writeToSide(house: House, tx: Tx, asked: Asked, parties: Parties, side: Side): Promise<void> {
  const to = side === 'prior' ? parties.former : parties.present;
  const { reseller_id: resellerId } = asked;
  const until = new Date(asked.approval.until);
  const { domainId } = parties;
  const change = { operationId: asked.id, side };
  const { token, link } = await makeLink(house, tx, { resellerId, domainId, to, expiresAt: until, change });
  const facts = {
    domain: namesText(parties),
    former: personText(parties.former),
    present: personText(parties.present),
    link,
    until,
  };
  await notify(house, tx, { kind: 'holder_change_asked', resellerId, to, facts, domainId, token });
}

export const personText = ({ name, company }: Pick<Holder, 'name' | 'company'>): string =>
  company === '' || company === name ? name : `${name}, ${company}`;

const dayMs = 86_400_000;

/** The mails once more, to the sides that have not confirmed. Undefined: nothing of that kind waits for the name. */
export async function askSidesAgain(
  house: House,
  actor: Actor,
  domain: Parameters<typeof findWaitingChange>[2] & { readonly name: string },
): Promise<{ readonly domainId: string } | undefined> {
  const db = house.db.as(actor.resellerId);
  if (!(await findWaitingChange(db, actor.resellerId, domain))) return undefined;
  return write(house, actor, async (tx) => {
    const operation = await findWaitingChange(tx, actor.resellerId, domain);
    const parties = operation && (await partiesOf(house, tx, operation));
    const open = Object.entries(operation?.approval?.sides ?? {}).flatMap(([side, at]) => (at ? [] : [side as Side]));
    const isOver = operation?.approval_until && operation.approval_until <= house.clock.now();
    if (!operation?.approval || !parties || isOver || open.length === 0)
      throw new Refusal('conflict', `The change of registrant of ${domain.name} can no longer be confirmed.`);
    const since = new Date(house.clock.now().getTime() - dayMs);
    for (const side of open) {
      await lockAddress(tx, actor.resellerId, (side === 'prior' ? parties.former : parties.present).email);
      if ((await sideLinksSince(tx, operation.id, side, since)) >= holderPolicy.mailsPerDay)
        throw new Refusal(
          'conflict',
          `The limit of ${holderPolicy.mailsPerDay} such mails a day is reached. Try again tomorrow.`,
        );
      await writeToSide(house, tx, { ...operation, approval: operation.approval }, parties, side);
    }
    return { domainId: domain.id };
  });
}
