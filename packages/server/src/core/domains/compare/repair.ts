import { allTenants, type Tx } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { type Domain, type DriftField, wantedStatuses } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import type { Kinds, RepairRequest } from '../../model/operation-kinds.ts';
import { findAnyOperation } from '../../operations/list-all.sql.ts';
import { placeOperation, throwInProgress } from '../../operations/order.ts';
import type { Found, Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { DomainChange, DsRecord, Evidence, HostAddresses, RegistryDomain, Reply } from '../../ports/registry.ts';
import { lockDomain, readDomain } from '../../tables/domain.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { ensureHosts } from '../registry/ensure-hosts.ts';
import { domainEvent, failed } from '../registry/outcome.ts';
import { readRegistryDomain, refusedWith } from '../registry/read-registry-domain.ts';
import { applyView } from './sync.ts';

/** `ordered`: it is not settled yet. `busy`: another operation on the domain is open. */
export type RepairOutcome = 'repaired' | 'refused' | 'ordered' | 'busy';

/** Orders the repair of the differences and runs it. If another operation is open on the domain, the next comparison orders it again. */
export async function orderRepair(
  ctx: AppContext,
  domain: Domain,
  fields: readonly DriftField[],
): Promise<RepairOutcome> {
  const request: RepairRequest = { name: domain.name, fields };
  try {
    const id = await ctx.db
      .transaction(domain.reseller_id, (tx) =>
        placeOperation(ctx, tx, schedulerFor(domain, 'reconcile'), {
          kind: 'repair',
          domainId: domain.id,
          registryId: domain.registry_id,
          request,
        }),
      )
      .catch(throwInProgress);
    await ctx.engine.start(id);
    const settled = await findAnyOperation(ctx.db.as(allTenants), id);
    if (settled?.state === 'done') return 'repaired';
    return settled?.state === 'refused' ? 'refused' : 'ordered';
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'operation_in_progress')) throw error;
    return 'busy';
  }
}

/** Brings the registry back to our records with one update that contains the difference to a fresh read. */
export const repairWorkflow: Workflow<'repair'> = {
  kind: 'repair',
  async run(run) {
    const { request } = run.operation;
    const domain = await readDomain(run.ctx.db.as(allTenants), run.operation.domain_id);
    const view = await readRegistryDomain(run, request.name);
    if (view.kind !== 'done') return stopped(run, view);
    const wanted = request.fields.includes('nameservers') ? domain.nameservers : [];
    const absent = wanted.filter((host) => !view.data.nameservers.includes(host));
    const hosts = await ensureHosts(run, absent, domain.name);
    if (hosts.kind === 'stopped') return stopped(run, hosts.reply);
    const change = repairOf(domain, view.data, request.fields, hosts.value);
    if (isEmpty(change)) return repaired(run, view.data, {});
    const reply = await run.command(
      'repair',
      (context) => run.registry.update(request.name, change, context),
      () => queryRepaired(run, domain, request),
    );
    if (reply.kind !== 'done') return stopped(run, reply);
    const after = await readRegistryDomain(run, request.name);
    return after.kind === 'done'
      ? repaired(run, after.data, reply.evidence)
      : { kind: 'unknown', why: 'repaired; the status of the domain is not known yet' };
  },
  async cancel(ctx, tx, operation) {
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.repair_cancelled', {}));
  },
};

function repairOf(
  domain: Domain,
  view: RegistryDomain,
  fields: readonly DriftField[],
  hosts: readonly HostAddresses[],
): DomainChange {
  const addStatuses = fields.includes('missing_statuses')
    ? wantedStatuses(domain).filter((status) => !view.statuses.includes(status))
    : [];
  const removeNameservers = fields.includes('nameservers')
    ? view.nameservers.filter((host) => !domain.nameservers.includes(host))
    : [];
  const repairsDs = fields.includes('ds');
  return {
    addStatuses,
    addNameservers: hosts,
    removeNameservers,
    addDs: repairsDs ? domain.ds.filter((ds) => !view.ds.some((other) => isSameDs(ds, other))) : [],
    removeDs: repairsDs ? view.ds.filter((ds) => !domain.ds.some((other) => isSameDs(ds, other))) : [],
    ...(fields.includes('auto_renewal') && view.autoRenew ? { autoRenew: false } : {}),
  };
}

const isSameDs = (a: DsRecord, b: DsRecord): boolean =>
  a.keytag === b.keytag &&
  a.algorithm === b.algorithm &&
  a.digesttype === b.digesttype &&
  a.digest.toUpperCase() === b.digest.toUpperCase();

const isEmpty = (change: DomainChange): boolean =>
  Object.values(change).every((part) => Array.isArray(part) && part.length === 0);

/** RFC 5730 2.6: if the answer to an update is missing, the view is compared with the wanted state. */
async function queryRepaired(run: Run, domain: Domain, request: RepairRequest): Promise<Found<null>> {
  const view = await readRegistryDomain(run, request.name);
  if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
  if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
  const absent = request.fields.includes('nameservers')
    ? domain.nameservers.filter((host) => !view.data.nameservers.includes(host))
    : [];
  const left = repairOf(
    domain,
    view.data,
    request.fields,
    absent.map((hostname) => ({ hostname, addresses: [] })),
  );
  return isEmpty(left) ? { kind: 'done', data: null } : { kind: 'never' };
}

function stopped(run: Run<'repair'>, reply: Exclude<Reply<unknown>, { kind: 'done' }>): WorkflowResult<never> {
  const undo = (tx: Tx, evidence: Evidence) => {
    const facts = { registry_code: evidence.code, reason: describe(evidence) };
    return appendEvent(run.ctx, tx, domainEvent(run.operation, 'domain.repair_refused', facts));
  };
  return failed(run, reply, undo, refusedWith(reply));
}

function repaired(
  run: Run<'repair'>,
  view: RegistryDomain,
  evidence: Evidence,
): WorkflowResult<Kinds['repair']['outcome']> {
  const { ctx, operation } = run;
  const { fields } = operation.request;
  return {
    kind: 'done',
    evidence,
    outcome: { fields },
    async settle(tx) {
      const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
      await applyView(ctx, tx, domain, view, await rulesOf(tx, domain));
      await appendEvent(ctx, tx, domainEvent(operation, 'domain.repaired', { fields }));
    },
  };
}
