import { everyTenant } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import type { Actor, House } from '../../house.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import type { Operation } from '../../operations/operation.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { rulesOf } from '../compare/sync.ts';
import { findDomain } from '../domain.sql.ts';
import type { Domain } from '../domain.ts';
import { requireDomain } from '../find.ts';
import { clockworkFor } from '../system-actor.ts';
import { checkCode, newCode, openCode } from './auth-code-policy.ts';
import { orderUpdate } from './order-update.ts';
import { changeEvent } from './place-change.ts';
import { dropCodesOfLeft, expiredAuthCodes } from './update-domain.sql.ts';

export type CodeOrOperation = { readonly code: string } | { readonly operationId: string };

/** RFC 9154: a code exists only while somebody wants one. The one that still counts, or the operation that makes one. */
export async function askAuthCode(
  house: House,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
): Promise<CodeOrOperation> {
  const domain = await requireDomain(house, actor, idOrName, customerId);
  if (domain.state === 'pending')
    throw new Refusal(
      'domain_blocked',
      `${domain.name} has no transfer code to read: its registration is not finished`,
    );
  requireAllowed(domain, 'update');
  const present = presentCode(house, domain);
  if (present !== undefined) return { code: await giveCode(house, actor, domain, present) };
  const open = await findOpenOperation(house.db.as(actor.resellerId), domain.id);
  // Two panels ask at once: both get the one code.
  if (open && isCodeOrder(open)) return { operationId: open.id };
  const rules = await rulesOf(house.db.as(everyTenant), domain.tld);
  const operationId = await orderUpdate(house, actor, {
    domain: domain.id,
    customerId,
    change: 'auth_code',
    secrets: { auth_code: newCode(house, rules) },
    wanted: () => ({ authCode: 'set' }),
  });
  return { operationId };
}

const isCodeOrder = ({ kind, request }: Operation): boolean => kind === 'update' && request.wanted.authCode === 'set';

function presentCode(house: House, domain: Domain): string | undefined {
  if (!domain.auth_code_sealed || !domain.auth_code_expires_at) return undefined;
  if (domain.auth_code_expires_at <= house.clock.now()) return undefined;
  return openCode(house, domain.id, domain.auth_code_sealed);
}

/** After the operation is done. */
export async function madeCode(house: House, actor: Actor, operation: Operation): Promise<string> {
  const { reseller_id: resellerId, domain_id: domainId } = operation;
  const domain = domainId === null ? undefined : await findDomain(house.db.as(resellerId), resellerId, domainId);
  const code = domain && presentCode(house, domain);
  if (code === undefined) throw new Refusal('conflict', 'the code is no longer valid; ask again');
  return giveCode(house, actor, domain!, code);
}

/** Whoever holds the code can take the name away: it is not shown before it is told that it was. */
async function giveCode(house: House, actor: Actor, domain: Domain, code: string): Promise<string> {
  await house.db.transaction(actor.resellerId, async (tx) => {
    await audit(house, tx, actor, { action: 'domain.code_given', objectType: 'domain', objectId: domain.id });
    await appendEvent(house, tx, changeEvent(actor, domain, 'domain.auth_code_given', {}));
  });
  return code;
}

export async function setAuthCode(
  house: House,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
  code: string,
): Promise<string> {
  return orderUpdate(house, actor, {
    domain: idOrName,
    customerId,
    change: 'auth_code',
    secrets: { auth_code: code },
    wanted(_domain, rules) {
      checkCode(code, rules);
      return { authCode: 'set' };
    },
  });
}

const codesPerRun = 100;

/** Codes that have had their time are taken away at the registry and forgotten here. */
export async function expireAuthCodes(house: House): Promise<number> {
  const db = house.db.as(everyTenant);
  await dropCodesOfLeft(db);
  const expired = await expiredAuthCodes(db, house.clock.now(), codesPerRun);
  let ordered = 0;
  for (const domain of expired) {
    try {
      const id = await orderUpdate(house, clockworkFor(domain, 'expire-auth-codes'), {
        domain: domain.id,
        customerId: undefined,
        change: 'auth_code',
        action: 'withdraw_code',
        wanted: () => ({ authCode: 'unset' }),
      });
      ordered += 1;
      await house.engine.start(id);
    } catch (error) {
      // Something else is under way on the name: the next run comes back to it.
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return ordered;
}
