import { dayMs } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import type { Domain } from '../../model/domain.ts';
import type { Flag, UpdateRequest } from '../../model/domain-change.ts';
import { describe } from '../../model/evidence.ts';
import type { OperationOf, Refused } from '../../model/operation.ts';
import type { Kinds } from '../../model/operation-kinds.ts';
import { keepsContacts, privacyMethodOf, type TldRules } from '../../model/tld.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, RegistryDomain, Reply } from '../../ports/registry.ts';
import { partiesOf } from '../../registrant-change/parties.ts';
import { lockDomain, readDomainWithRules } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { checkContacts } from '../buy/check-order.ts';
import { delegationRequested } from '../effects.ts';
import { asOurRecords } from '../registry/as-our-records.ts';
import { domainEvent, failed } from '../registry/outcome.ts';
import { readRegistryDomain, refusedWith } from '../registry/read-registry-domain.ts';
import { isBlockedByTransferLock, liftTransferLock, setTransferLock, wasLifted } from './lift-transfer-lock.ts';
import { type Sent, sendDifference } from './send-difference.ts';
import { settleUpdate } from './settle-update.ts';
import { postponeUnset } from './update-domain.sql.ts';
import { targetOf } from './update-target.ts';
import { type Target, viewAfter } from './wanted.ts';

/** Every change of a domain: compares the wanted state with a fresh read and sends one update with the difference. */
export const updateWorkflow: Workflow<'update'> = {
  kind: 'update',
  async run(run) {
    const db = run.ctx.db.as(allTenants);
    const { request } = run.operation;
    const { domain, rules } = await readDomainWithRules(db, run.operation.domain_id);
    if (isOursAlone(request, rules)) return inOurRecords(run);
    const queryReply = await readRegistryDomain(run, request.name);
    if (queryReply.kind !== 'done') return stopped(run, queryReply);
    const target = await targetOf(run, domain, rules, request, queryReply.data);
    if (target.kind === 'stopped') return stopped(run, target.reply, target.field);
    const sent = await sendWhateverItTakes(run, domain, queryReply.data, target.value);
    if (sent.reply.kind !== 'done') return stopped(run, sent.reply, fieldOf[request.change]);
    if (sent.reply.pending) {
      return { kind: 'waiting', evidence: sent.reply.evidence, why: 'the registry reviews the change' };
    }
    const code = request.wanted.authCode === 'set' ? await run.registry.readAuthCode?.(request.name) : undefined;
    if (code && code.kind !== 'done') return stopped(run, code);
    return {
      kind: 'done',
      evidence: sent.reply.evidence,
      outcome: outcomeOf(request),
      settle: (tx) => settleUpdate(run, tx, request, viewAfter(sent.view, sent.change), code?.data),
    };
  },
  async recheck(ctx, tx, operation) {
    const { change, wanted, isForced = false } = operation.request;
    const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
    requireAllowed(domain, change === 'locked' ? 'unlock' : 'update');
    const { nameservers } = wanted;
    if (nameservers) await ctx.effects.run(delegationRequested, { ctx, db: tx, domain, nameservers, isForced });
    if (operation.approval?.awaits === 'holders') await requireAsOrdered(ctx, tx, domain, operation);
  },
  async cancel(ctx, tx, operation) {
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.update_cancelled', {}));
  },
  asDone: (ctx, { domain_id }) => asOurRecords(ctx, domain_id),
};

/** What was changed; for a switch, also its new position. */
function outcomeOf({ change, wanted }: UpdateRequest): Kinds['update']['outcome'] {
  const turnedOn = change === 'privacy' ? wanted.privacy : wanted.flags?.[change as Flag];
  return { changed: [change], ...(turnedOn === undefined ? {} : { turned_on: turnedOn }) };
}

/** If the registry keeps no contacts, contacts and most kinds of privacy exist only in our records. */
const isOursAlone = ({ change }: UpdateRequest, rules: TldRules): boolean =>
  (change === 'contacts' && !keepsContacts(rules)) ||
  (change === 'privacy' && !keepsContacts(rules) && privacyMethodOf(rules) !== 'upstream');

const inOurRecords = (run: Run<'update'>): WorkflowResult<Kinds['update']['outcome']> => ({
  kind: 'done',
  outcome: outcomeOf(run.operation.request),
  proof: 'nothing_sent',
  settle: (tx) => settleUpdate(run, tx, run.operation.request, null),
});

/** A change that both registrants confirmed is executed exactly as they saw it, or not at all. */
async function requireAsOrdered(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  operation: OperationOf<'update'>,
): Promise<void> {
  const contacts = operation.request.wanted.contacts!;
  const order = { contacts, customerId: domain.customer_id };
  await checkContacts(tx, actorOf(operation), order, await rulesOf(tx, domain));
  if (!(await partiesOf(ctx, tx, operation)))
    throw new Refusal('conflict', `${domain.name} changed after its registrants were asked to confirm.`);
}

const fieldOf: Partial<Record<UpdateRequest['change'], string>> = {
  nameservers: 'nameservers',
  dnssec: 'digest',
  auth_code: 'auth_code',
  contacts: 'registrant',
};

/** If the registry requires it, theft protection is removed for the change. It is set again whether or not the change succeeds. */
async function sendWhateverItTakes(
  run: Run<'update'>,
  domain: Domain,
  view: RegistryDomain,
  target: Target,
): Promise<Sent> {
  const mayLift = domain.theft_protection && target.flags === undefined;
  const isResumed = mayLift && (await wasLifted(run));
  let sent = await sendDifference(run, isResumed ? 'update-lifted' : 'update', view, target);
  let isLifted = isResumed;
  if (mayLift && !isResumed && isBlockedByTransferLock(sent.reply, view)) {
    const lifted = await liftTransferLock(run, view.name);
    if (lifted.kind !== 'done') return { ...sent, reply: lifted };
    isLifted = true;
    const bare = { ...view, statuses: view.statuses.filter((status) => status !== 'clientTransferProhibited') };
    sent = await sendDifference(run, 'update-lifted', bare, target);
  }
  if (!isLifted || sent.reply.kind === 'unknown' || sent.reply.kind === 'unsent') return sent;
  const again = await setTransferLock(run, 'set-again', view.name);
  // The domain must not stay without its lock, so the operation continues until it is set.
  if (again.kind !== 'done')
    return { ...sent, reply: { kind: 'unknown', why: 'the lock is not set again yet', evidence: {} } };
  return {
    ...sent,
    view: { ...sent.view, statuses: [...new Set([...sent.view.statuses, 'clientTransferProhibited'])] },
  };
}

function stopped(
  run: Run<'update'>,
  reply: Exclude<Reply<unknown>, { kind: 'done' }>,
  field?: string,
): WorkflowResult<never> {
  const { ctx, operation } = run;
  const { request } = operation;
  const undo = async (tx: Tx, evidence: Evidence) => {
    if (request.wanted.authCode === 'unset') {
      await postponeUnset(tx, operation.domain_id, new Date(ctx.clock.now().getTime() + dayMs));
    }
    const facts = { change: request.change, registry_code: evidence.code, reason: describe(evidence) };
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.update_refused', facts));
  };
  return failed(run, reply, undo, refusalFor(reply, field));
}

/** RFC 5730 2004, 2005, 2306: the registry refuses the value itself, so the refusal names the caller's field. */
const valueCodes = new Set([2004, 2005, 2306]);

function refusalFor(reply: Reply<unknown>, field: string | undefined): Refused['error'] {
  const text = reply.kind === 'refused' ? (reply.evidence.text ?? '') : '';
  if (text.includes('is not valid NameServer'))
    return { code: 'invalid_argument', sentence: text, field: 'nameservers' };
  if (reply.kind === 'refused' && field && valueCodes.has(reply.evidence.code ?? 0)) {
    return { code: 'registry_refused', sentence: `The registry refused: ${describe(reply.evidence)}`, field };
  }
  return refusedWith(reply);
}
