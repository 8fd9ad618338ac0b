import { allTenants, type Tx } from '@namehold/postgres';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent, batchEvents } from '../../events/append.ts';
import { capture } from '../../ledger/capture.ts';
import { release } from '../../ledger/release.ts';
import { type Roles, rolesOf, sentRolesOf } from '../../model/domain.ts';
import type { Kinds, RegisterRequest } from '../../model/operation-kinds.ts';
import { keepsContacts } from '../../model/tld.ts';
import { actorOf } from '../../operations/actor.ts';
import { countAnswered } from '../../operations/journal.sql.ts';
import type { Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import { verificationWait } from '../../policy/verification.ts';
import type { DomainOrder, Evidence, HostAddresses, RegistrationData, Reply } from '../../ports/registry.ts';
import { readDomain } from '../../tables/domain.sql.ts';
import { bringBack } from '../compare/missing.sql.ts';
import { markLive, markLiveUnverified, markRemoved, type NewDomain, readNewDomain } from '../domain.sql.ts';
import { domainRegistered } from '../effects.ts';
import { CreateOutcomeQuery } from '../registry/create-outcome-query.ts';
import { ensureContacts, hideBy } from '../registry/ensure-contacts.ts';
import { ensureHosts, evictHosts, rememberedHosts } from '../registry/ensure-hosts.ts';
import { domainEvent, failed, needsReview } from '../registry/outcome.ts';
import { recreateMissingContacts } from '../registry/recreate-contacts.ts';
import { upstreamPrivacy } from '../registry/upstream-privacy.ts';
import { declarantOf } from './declaration.ts';
import { refuseOwnPrice } from './premium-fee.ts';
import { protectNew } from './protect-new.ts';
import { openRegistration } from './registration-data.ts';
import { paidUntil } from './renewal-years.ts';
import { keepSentContacts, sendLaterContacts } from './reviewed-contacts.ts';

export const registerWorkflow: Workflow<'register'> = {
  kind: 'register',
  acceptsOperatorDecision: true,
  async run(run) {
    const { ctx, operation } = run;
    const { request } = operation;
    const ordered = await readNewDomain(ctx.db.as(allTenants), operation.domain_id);
    const { domain, rules } = ordered;
    // The contacts that were sent with the create command. Contacts that were assigned during a review are sent when it is over.
    const sentWith = operation.outcome?.plan?.sent_contacts;
    const roles = sentRolesOf(sentWith ?? rolesOf(domain), run.registry.capabilitiesOf(domain.name));
    const declarant = declarantOf(ctx, rules, domain.extra, roles.registrant);
    const contactIds = [...Object.values(roles), declarant].filter((id) => id !== null);
    const wanted = keepsContacts(rules) ? contactIds : [];
    const contacts = await ensureContacts(
      run,
      wanted,
      hideBy(rules, request.privacy),
      sentWith ? undefined : ordered.handles,
    );
    if (contacts.kind === 'stopped') return stopped(run, contacts.reply, contacts.field);
    const privacy = upstreamPrivacy(run, rules, request.privacy || undefined);
    const outcomeQuery = new CreateOutcomeQuery(run, domain.name, handleOf(roles, contacts.value, 'registrant'));
    const known = await takenBefore(run, outcomeQuery);
    if (known) return known;
    const registration = openRegistration(ctx, operation);
    const create = (nameservers: readonly HostAddresses[]) =>
      run.command(
        'register',
        async (context) => {
          if (privacy.kind === 'stopped') return privacy.reply;
          const order = orderFor(ordered, request, { ...roles, declarant }, contacts.value, nameservers, registration);
          const dearer = await refuseOwnPrice(run, 'create');
          return dearer ?? run.registry.create({ ...order, ...privacy.value }, context);
        },
        () => outcomeQuery.findOutcome(),
      );
    const remembered = rememberedHosts(run.registry, domain.nameservers, domain.name);
    let reply = remembered && (await create(remembered));
    // RFC 5730 3: 2303, an object that the order references does not exist. A cached host may have been deleted at the registry.
    if (!reply || (reply.kind === 'refused' && reply.evidence.code === 2303)) {
      evictHosts(run.registry, domain.nameservers);
      const hosts = await ensureHosts(run, domain.nameservers, domain.name);
      if (hosts.kind === 'stopped') return stopped(run, hosts.reply, hosts.field);
      reply = await create(hosts.value);
      const isMissing = reply.kind === 'refused' && reply.evidence.code === 2303;
      if (isMissing && (await recreateMissingContacts(run, [...contacts.value.values()])))
        reply = await create(hosts.value);
    }
    if (reply.kind === 'refused' && reply.evidence.code === exists) {
      // "Object exists" can be the result of an earlier command of ours that arrived late. Only the registry knows who sponsors the
      // domain.
      const found = await run.checkedByOrders('register', await outcomeQuery.findOutcome());
      const why =
        found.kind === 'unknown' ? found.why : 'the registry contradicts itself about whether the domain exists';
      if (!outcomeQuery.ambiguousOutcome && (found.kind === 'unknown' || (await outcomeQuery.isContradicted(found))))
        return { kind: 'unknown', why, evidence: reply.evidence };
    }
    if (outcomeQuery.ambiguousOutcome)
      return needsReview(run, outcomeQuery.ambiguousOutcome, 'evidence' in reply ? reply.evidence : undefined);
    if (reply.kind !== 'done') return stopped(run, reply, 'domainName');
    if (reply.pending) return waiting(run, reply.evidence, outcomeQuery.reviewNote);
    const replaced = sentWith && (await sendLaterContacts(run, domain, rules));
    if (replaced?.kind === 'later')
      return {
        kind: 'unknown',
        why: `the domain is registered; its contacts: ${replaced.why}`,
        evidence: reply.evidence,
      };
    const created = reply.data ?? { createdAt: ctx.clock.now(), expiresAt: null };
    return registrationResult(run, created, reply.evidence, ordered, replaced?.refused);
  },
  async cancel(ctx, tx, operation) {
    await release(ctx, tx, { operationId: operation.id });
    await markRemoved(tx, operation.domain_id, 'cancelled', ctx.clock.now());
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.registration_cancelled', {}));
  },
  async reopen(ctx, tx, operation) {
    if (!(await bringBack(tx, operation.domain_id, 'pending', ctx.clock.now())))
      throw new Refusal('conflict', `${operation.request.name} was taken by another order in the meantime.`);
  },
};

/** RFC 5730 3: object exists. */
const exists = 2302;
/** Create commands that were refused with "exists" while the domain is shown as free. After this many the view can no longer be stale. */
const mostTaken = 4;

/**
 * An earlier attempt was refused with "exists" and could not determine the sponsor. The domain is queried, not ordered again. Undefined:
 * it is free now.
 */
async function takenBefore(
  run: Run<'register'>,
  outcomeQuery: CreateOutcomeQuery,
): Promise<WorkflowResult<never> | undefined> {
  const { ctx, operation } = run;
  if (operation.attempts <= 1) return undefined;
  const times = await countAnswered(ctx.db.as(allTenants), operation.id, 'register', exists);
  if (times === 0) return undefined;
  const found = await run.checkedByOrders('register', await outcomeQuery.findOutcome());
  if (outcomeQuery.ambiguousOutcome) return needsReview(run, outcomeQuery.ambiguousOutcome);
  if (found.kind === 'unknown') return found;
  if (found.kind === 'refused') return stopped(run, found, 'domainName');
  // A reserved or blocked domain would be ordered for ever, and registries count such commands.
  return found.kind === 'never' && times >= mostTaken
    ? needsReview(run, `the registry refused it ${times} times because it exists, and shows no such domain`)
    : undefined;
}

type OrderRoles = Roles & { readonly declarant: string | null };

const handleOf = <R extends Roles>(
  roles: R,
  handles: ReadonlyMap<string, string>,
  role: keyof R,
): string | undefined => (roles[role] === null ? undefined : handles.get(roles[role] as string));

function orderFor(
  { domain, rules }: Pick<NewDomain, 'domain' | 'rules'>,
  request: RegisterRequest,
  roles: OrderRoles,
  handles: ReadonlyMap<string, string>,
  nameservers: readonly HostAddresses[],
  registration: RegistrationData | undefined,
): DomainOrder {
  const stated = rules.extra_schema;
  const handle = (role: keyof OrderRoles) => {
    const known = handleOf(roles, handles, role);
    return known === undefined ? {} : { [role]: known };
  };
  return {
    name: domain.name,
    years: request.years,
    ...handle('registrant'),
    ...handle('declarant'),
    contacts: { ...handle('admin'), ...handle('tech'), ...handle('billing') },
    nameservers,
    extra: domain.extra,
    ...(stated !== null && typeof stated !== 'string' ? { statedFields: stated } : {}),
    ...(registration ? { registration } : {}),
    ...(request.fee ? { fee: request.fee } : {}),
  };
}

/** A definite refusal releases the money; any other result keeps it on hold. */
function stopped(
  run: Run<'register'>,
  reply: Exclude<Reply<unknown>, { kind: 'done' }>,
  field: string | undefined,
): WorkflowResult<never> {
  const { ctx, operation } = run;
  const text = reply.kind === 'refused' ? (reply.evidence.text ?? '') : '';
  const isNs = field === 'nameservers' && text.includes('is not valid NameServer');
  const undo = async (tx: Tx, evidence: Evidence) => {
    await release(ctx, tx, { operationId: operation.id });
    await markRemoved(tx, operation.domain_id, 'refused', ctx.clock.now());
    await appendEvent(
      ctx,
      tx,
      domainEvent(operation, 'domain.registration_refused', { registry_code: evidence.code, reason: evidence.text }),
    );
  };
  return failed(
    run,
    reply,
    undo,
    isNs ? { code: 'invalid_argument', sentence: text, field: 'nameservers' } : undefined,
  );
}

/** The reseller must act on the registry's review note, for example when the registry requires documents. */
function waiting(run: Run<'register'>, evidence: object, note: string | null): WorkflowResult<never> {
  const { operation } = run;
  const reported = operation.attention?.facts.review ?? null;
  return {
    kind: 'waiting',
    evidence,
    why: 'the registry reviews the registration',
    ...(note === null
      ? {}
      : {
          attention: {
            why: `the registry reviews the registration and reports: ${note}`,
            facts: { review: note },
            choices: [],
          },
        }),
    // The event is appended once, and again only when the registry's note changes.
    async settle(tx) {
      if (operation.state === 'waiting_registry' && reported === note) return;
      await appendEvent(run.ctx, tx, domainEvent(operation, 'domain.registration_pending', { review: note }));
    },
  };
}

/** Transaction B of a success; also called when a poll message reports that a pending create was approved. */
async function registrationResult(
  run: Run<'register'>,
  created: { createdAt: Date; expiresAt: Date | null },
  evidence: object,
  { rules, theftProtection, domain: ordered }: Pick<NewDomain, 'domain' | 'rules' | 'theftProtection'>,
  refusedContacts?: Evidence,
): Promise<WorkflowResult<Kinds['register']['outcome']>> {
  const { ctx, operation } = run;
  const protection = await protectNew(run, rules, theftProtection);
  const { request } = operation;
  // If the success is found late, the registry may have auto-renewed the domain already. Those years were not ordered.
  const endDate = paidUntil({ from: created.createdAt.toISOString(), years: request.years }, created.expiresAt);
  const expiresAt = created.expiresAt ?? endDate;
  return {
    kind: 'done',
    evidence,
    outcome: { expires_at: endDate.toISOString(), acted_at: created.createdAt.toISOString() },
    async settle(tx) {
      batchEvents(tx);
      const now = ctx.clock.now();
      const facts = {
        createdAt: created.createdAt,
        expiresAt,
        endDate,
        now,
        privacyUntil: request.privacy ? endDate : null,
        isProtected: protection.kind === 'on',
        protectAt: protection.kind === 'pending' ? now : null,
      };
      const wait = verificationWait(ctx, ordered.tld, 'registration', rules);
      const waitingForVerification = wait && (await markLiveUnverified(tx, operation.domain_id, facts, wait));
      const marked = waitingForVerification?.domain ?? (await markLive(tx, operation.domain_id, facts));
      const domain = marked ?? (await readDomain(tx, operation.domain_id));
      const actor = actorOf(operation);
      const verification = waitingForVerification && { registrant: waitingForVerification.holder, wait };
      const isActivated = marked !== undefined;
      await ctx.effects.run(domainRegistered, { ctx, tx, actor, domain, rules, isActivated, verification });
      await audit(ctx, tx, actor, {
        action: 'domain.registered',
        objectType: 'domain',
        objectId: operation.domain_id,
        after: { name: request.name, expires_at: endDate },
      });
      const reported = domainEvent(operation, 'domain.registered', { expires_at: endDate.toISOString() });
      await appendEvent(ctx, tx, reported);
      if (refusedContacts) await keepSentContacts(run, tx, refusedContacts);
      if (protection.kind === 'pending') {
        await appendEvent(ctx, tx, domainEvent(operation, 'domain.protection_failed', { reason: protection.why }));
      }
      // Last, because every order of the account waits for the lock on its balance.
      await capture(ctx, tx, { transactionId: operation.transaction_id! });
    },
  };
}
