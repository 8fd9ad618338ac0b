import { allTenants, type Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { shareCustomer } from '../../customers/customer.sql.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { type Domain, type Roles, wantedStatuses } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import type { OperationOf } from '../../model/operation.ts';
import { keepsContacts, type TldRules } from '../../model/tld.ts';
import type { Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, Reply } from '../../ports/registry.ts';
import { lockDomain, readDomainWithRules } from '../../tables/domain.sql.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { sendDifference } from '../change/send-difference.ts';
import { contactTarget } from '../change/update-target.ts';
import type { Target } from '../change/wanted.ts';
import { domainEvent, failed } from '../registry/outcome.ts';
import { readRegistryDomain, refusedWith } from '../registry/read-registry-domain.ts';
import { contactsThen } from './contacts.ts';
import { completeMove } from './hand-over.ts';
import { offerMove } from './offer.ts';
import { requireMovable } from './require-movable.ts';

const isWithin = ({ reseller_id, request }: OperationOf<'move'>): boolean => request.new_reseller_id === reseller_id;

/**
 * Creates the contacts of the new customer here and at the registry, if it keeps any, and removes the auth code there, because the
 * previous reseller may know it. Then the domain changes its customer in one transaction.
 */
export const moveWorkflow: Workflow<'move'> = {
  kind: 'move',
  async run(run) {
    const { ctx, operation } = run;
    const { domain, rules } = await readDomainWithRules(ctx.db.as(allTenants), operation.domain_id);
    const roles = await rolesThen(run, domain, rules);
    if (roles instanceof Refusal) return refused(run, roles);
    const reply = await updateRegistryContacts(run, domain, rules, roles);
    if (reply.kind !== 'done')
      return failed(run, reply, (tx, evidence) => recordMoveRefused(run, tx, evidence), refusedWith(reply));
    if (reply.pending) return { kind: 'waiting', evidence: reply.evidence, why: 'the registry reviews the change' };
    return {
      kind: 'done',
      evidence: reply.evidence,
      outcome: { moved: true },
      settle: (tx) => completeMove(run, tx, roles, isWithin(operation)),
    };
  },
  async recheck(ctx, tx, operation) {
    const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
    if (!isWithin(operation)) return requireMovable(ctx, tx, domain);
    requireAllowed(domain, 'update');
    const { request } = operation;
    if (domain.customer_id !== request.from_customer_id)
      throw new Refusal(
        'conflict',
        `${domain.name} has changed its customer since the move was requested. Reject the move.`,
      );
    if (!(await shareCustomer(tx, operation.reseller_id, request.new_customer_id)))
      throw new Refusal('conflict', `Customer ${request.new_customer_id} no longer exists. Reject the move.`);
  },
  async requestSecondApproval(ctx, tx, actor, operation) {
    return isWithin(operation) ? undefined : offerMove(ctx, tx, actor, operation);
  },
  async cancel(ctx, tx, operation) {
    await notifySides(ctx, tx, operation, 'domain.move_cancelled', {});
  },
};

async function rolesThen(run: Run<'move'>, domain: Domain, rules: TldRules): Promise<Roles | Refusal> {
  try {
    return await run.ctx.db.transaction(allTenants, (tx) =>
      contactsThen(run.ctx, tx, domain, run.operation.request, rules),
    );
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Only if the registry has something to change: nothing is sent to a registry without contacts for a domain without a code. */
async function updateRegistryContacts(
  run: Run<'move'>,
  domain: Domain,
  rules: TldRules,
  roles: Roles,
): Promise<Reply<null>> {
  const hasCode = !isWithin(run.operation) && domain.auth_code_expires_at !== null;
  if (!keepsContacts(rules) && !hasCode) return { kind: 'done', data: null, pending: false, evidence: {} };
  const queryReply = await readRegistryDomain(run, domain.name);
  if (queryReply.kind !== 'done') return queryReply;
  let target: Target = { statuses: wantedStatuses(domain), ...(hasCode ? { authCode: null } : {}) };
  if (keepsContacts(rules)) {
    // The contact with the old declaration belongs to the previous reseller; from now on the declaration of the new registrant counts.
    const contacts = await contactTarget(run, { name: domain.name, extra: {} }, rules, roles, domain.privacy_sent);
    if (contacts.kind === 'stopped') return contacts.reply;
    target = { ...target, ...contacts.value };
  }
  return (await sendDifference(run, 'move', queryReply.data, target)).reply;
}

function refused(run: Run<'move'>, { code, message }: Refusal): WorkflowResult<never> {
  const evidence = { text: message };
  const error = { code, sentence: message };
  return { kind: 'refused', evidence, error, settle: (tx) => recordMoveRefused(run, tx, evidence) };
}

function recordMoveRefused(run: Run<'move'>, tx: Tx, evidence: Evidence): Promise<void> {
  const facts = { registry_code: evidence.code, reason: describe(evidence) };
  return notifySides(run.ctx, tx, run.operation, 'domain.move_refused', facts);
}

/** The receiving reseller does not have the domain, so its event names the move. */
async function notifySides(
  ctx: AppContext,
  tx: Tx,
  operation: OperationOf<'move'>,
  type: 'domain.move_refused' | 'domain.move_cancelled',
  facts: { readonly registry_code?: number | undefined; readonly reason?: string },
): Promise<void> {
  await appendEvent(ctx, tx, domainEvent(operation, type, facts));
  if (operation.taker_id === null) return;
  const { id, request, taker_id: resellerId } = operation;
  const payload = { operation_id: id, domain_name: request.name, from_reseller_id: operation.reseller_id };
  await appendEvent(ctx, tx, { resellerId, type: 'move.failed', objectId: id, payload });
}
