import { timingSafeEqual } from 'node:crypto';
import { everyTenant, NameError, normaliseName, type Tx } from '@namehold/base';
import { recordAnswer } from '../../approvals/approval.sql.ts';
import { audit } from '../../audit/audit.ts';
import { findCustomer, shareCustomer } from '../../customers/customer.sql.ts';
import { badField } from '../../errors.ts';
import { type Actor, type House, writeWide } from '../../house.ts';
import type { MoveRequest } from '../../operations/kinds.ts';
import { asInProgress, placeOperation } from '../../operations/order.ts';
import { presentCode } from '../change/auth-code-policy.ts';
import { lockDomain } from '../domain.sql.ts';
import type { Domain } from '../domain.ts';
import { clockworkFor } from '../system-actor.ts';
import { requireTakable } from './accept.ts';
import { countTry } from './count-tries.ts';
import { findForClaim, lockOffer, setTaker } from './move.sql.ts';
import type { Move } from './move.ts';
import { readMove } from './read.ts';

export interface Claim {
  readonly domainName: string;
  readonly authCode: string;
  readonly customerId: string;
  readonly contacts: MoveRequest['contacts'];
}

/** The taker begins: with the code, which its holder got from the present reseller, it needs no offer. Then it is run like any other move. */
export async function claimMove(house: House, actor: Actor, claim: Claim, waitMs: number): Promise<Move> {
  if (!(await findCustomer(house.db.as(actor.resellerId), actor.resellerId, claim.customerId))) throw noCustomer();
  const giveBack = await countTry(house, actor, nameOf(claim.domainName));
  const found = await findClaimed(house, actor, claim);
  if (!found) throw unknown();
  await giveBack();
  const moveId = await place(house, actor, claim, found);
  await house.engine.startAndWait(found.reseller_id, moveId, waitMs);
  return readMove(house, actor, moveId);
}

const noCustomer = () => badField('customerId', 'Customer not found.', 'not_found');

/** One answer to all of it: which names are of the house, and which of them have a code, is nobody's to find out. */
const unknown = () =>
  badField('authCode', 'No domain of another reseller here has this name and auth code.', 'not_found');

async function findClaimed(house: House, actor: Actor, claim: Claim): Promise<Domain | undefined> {
  const domain = await findForClaim(house.db.as(everyTenant), actor.resellerId, nameOf(claim.domainName));
  return isItsCode(house, domain, claim.authCode) ? domain : undefined;
}

function nameOf(text: string): string {
  try {
    return normaliseName(text);
  } catch (error) {
    if (error instanceof NameError) return '';
    throw error;
  }
}

function isItsCode(house: House, domain: Domain | undefined, given: string): boolean {
  const code = domain && presentCode(house, domain);
  const hash = (text: string) => Buffer.from(house.vault.fingerprint(`move:${text}`), 'hex');
  const isSame = timingSafeEqual(hash(code ?? ''), hash(given));
  return code !== undefined && isSame;
}

/** An offer and its yes in one transaction. Where the giver wants a second yes to its codes, this one was shown with it. */
async function place(house: House, actor: Actor, claim: Claim, found: Domain): Promise<string> {
  try {
    house.point('move:before-order');
    return await writeWide(house, actor, async (tx) => {
      const domain = await lockDomain(tx, found.reseller_id, found.id);
      if (domain?.state !== 'live' || !isItsCode(house, domain, claim.authCode)) throw unknown();
      if (!(await shareCustomer(tx, actor.resellerId, claim.customerId))) throw noCustomer();
      const id = await placeOffer(house, tx, actor, claim, domain);
      const offer = (await lockOffer(tx, actor.resellerId, id))!;
      await requireTakable(house, tx, offer);
      const said = { answer: 'given', by: null, at: house.clock.now(), wall: house.wall.now() } as const;
      await recordAnswer(tx, offer, said);
      await actor.idempotency?.follow(tx, id);
      await audit(house, tx, actor, {
        action: 'move.claim',
        objectType: 'operation',
        objectId: id,
        after: { domain_name: domain.name, new_customer_id: claim.customerId },
      });
      return id;
    });
  } catch (error) {
    asInProgress(error);
  } finally {
    house.point('move:after-order');
  }
}

async function placeOffer(house: House, tx: Tx, actor: Actor, claim: Claim, domain: Domain): Promise<string> {
  const wanted = {
    new_reseller_id: actor.resellerId,
    new_customer_id: claim.customerId,
    contacts: claim.contacts,
    by: 'code',
  } as const;
  const until = new Date(house.clock.now().getTime() + house.config.approvalHours * 3_600_000).toISOString();
  const id = await placeOperation(house, tx, clockworkFor(domain, actor.requestId), {
    kind: 'move',
    domainId: domain.id,
    registryId: domain.registry_id,
    request: { name: domain.name, from_customer_id: domain.customer_id, ...wanted },
    approval: { change: 'move', wanted, scopes: [], asked_by: '', until, awaits: 'taker' },
  });
  await setTaker(tx, id);
  return id;
}
