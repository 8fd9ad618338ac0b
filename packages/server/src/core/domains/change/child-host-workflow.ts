import { allTenants, type Tx } from '@namehold/postgres';
import { audit } from '../../audit/audit.ts';
import { Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import type { Domain } from '../../model/domain.ts';
import { describe } from '../../model/evidence.ts';
import type { ChildHostRequest, Kinds } from '../../model/operation-kinds.ts';
import { actorOf } from '../../operations/actor.ts';
import type { Found, Run, Workflow, WorkflowResult } from '../../operations/run.ts';
import type { Evidence, RegistryHost, Reply } from '../../ports/registry.ts';
import { lockDomain, readDomain } from '../../tables/domain.sql.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { domainEvent, failed } from '../registry/outcome.ts';
import { readRegistryDomain, refusedWith } from '../registry/read-registry-domain.ts';
import { dropChildHost, readChildHosts, renameNameserver, saveChildHost } from './child-hosts.sql.ts';
import { hasAddresses } from './wanted.ts';

/** Glue: brings one host below a domain to its wanted state. */
export const childHostWorkflow: Workflow<'child_host'> = {
  kind: 'child_host',
  async run(run) {
    const db = run.ctx.db.as(allTenants);
    const { request } = run.operation;
    const domain = await readDomain(db, run.operation.domain_id);
    const { hostModel } = run.registry.capabilitiesOf(domain.name);
    const reply = hostModel === 'objects' ? await bringHost(run, request) : await bringAttribute(run, request);
    if (reply.kind !== 'done') return stopped(run, reply);
    return settled(run, domain, request, reply.evidence);
  },
  async recheck(_ctx, tx, operation) {
    const { request } = operation;
    const domain = (await lockDomain(tx, operation.reseller_id, operation.domain_id))!;
    requireAllowed(domain, 'update');
    const hosts = await readChildHosts(tx, domain.id);
    const present = hosts.find((host) => host.hostname === (request.from ?? request.hostname))?.addresses ?? [];
    if (present.length === request.was.length && present.every((address) => request.was.includes(address))) return;
    throw new Refusal('conflict', `${request.hostname} changed after this change was requested. Request it again.`, {
      facts: { operation_id: operation.id },
    });
  },
  async cancel(ctx, tx, operation) {
    await appendEvent(ctx, tx, domainEvent(operation, 'domain.update_cancelled', {}));
  },
};

const nothingToDo: Reply<null> = { kind: 'done', data: null, pending: false, evidence: {} };

async function bringHost(run: Run, request: ChildHostRequest): Promise<Reply<null>> {
  const { hostname, addresses, from } = request;
  const present = await run.registry.hostInfo(from ?? hostname);
  if (present.kind !== 'done') return present;
  if (addresses.length === 0) {
    if (!present.data) return nothingToDo;
    return run.command(
      'host-delete',
      (c) => run.registry.removeHost(hostname, c),
      () => queryHostGone(run, hostname),
    );
  }
  if (!present.data) {
    // Either a rename that was executed before its answer was lost, or a host that does not exist yet.
    const target = from === null ? present : await run.registry.hostInfo(hostname);
    if (target.kind !== 'done') return target;
    if (target.data) return changeHost(run, target.data, request);
    return run.command(
      'host-create',
      (c) => run.registry.createHost(hostname, addresses, c),
      () => queryHostPresent(run, hostname),
    );
  }
  return changeHost(run, present.data, request);
}

async function changeHost(run: Run, present: RegistryHost, request: ChildHostRequest): Promise<Reply<null>> {
  let now = present;
  const change = () => ({
    add: request.addresses.filter((address) => !now.addresses.includes(address)),
    remove: now.addresses.filter((address) => !request.addresses.includes(address)),
    ...(now.hostname === request.hostname ? {} : { newName: request.hostname }),
  });
  const isThere = () => change().add.length + change().remove.length === 0 && now.hostname === request.hostname;
  if (isThere()) return nothingToDo;
  return run.command(
    'host-update',
    (context) => run.registry.updateHost(now.hostname, change(), context),
    async (): Promise<Found<null>> => {
      for (const name of new Set([request.hostname, now.hostname])) {
        const queryReply = await run.registry.hostInfo(name);
        if (queryReply.kind === 'refused') return run.noAnswer(describe(queryReply.evidence));
        if (queryReply.kind !== 'done') return { kind: 'unknown', why: queryReply.why };
        if (!queryReply.data) continue;
        now = queryReply.data;
        return isThere() ? { kind: 'done', data: null } : { kind: 'never' };
      }
      return { kind: 'refused', evidence: { code: 2303, text: `the host ${now.hostname} is gone` } };
    },
  );
}

async function queryHostGone(run: Run, hostname: string): Promise<Found<null>> {
  const queryReply = await run.registry.hostInfo(hostname);
  if (queryReply.kind === 'done') return queryReply.data ? { kind: 'never' } : { kind: 'done', data: null };
  return queryReply.kind === 'refused'
    ? run.noAnswer(describe(queryReply.evidence))
    : { kind: 'unknown', why: queryReply.why };
}

async function queryHostPresent(run: Run, hostname: string): Promise<Found<null>> {
  const found = await queryHostGone(run, hostname);
  if (found.kind === 'never') return { kind: 'done', data: null };
  return found.kind === 'done' ? { kind: 'never' } : found;
}

/** RFC 5731 1.1, hosts as attributes: glue exists only with the delegation, so an unused host exists only in our database. */
async function bringAttribute(run: Run, request: ChildHostRequest): Promise<Reply<null>> {
  const { hostname, addresses, from, name } = request;
  const old = from ?? hostname;
  const queryReply = await readRegistryDomain(run, name);
  if (queryReply.kind !== 'done') return queryReply;
  const used = [old, hostname].find((host) => queryReply.data.nameservers.includes(host));
  if (used === undefined || addresses.length === 0) return nothingToDo;
  let resends = 0;
  let linked = used;
  return run.command(
    'host-attribute',
    (context) =>
      run.registry.update(name, { removeNameservers: [linked], addNameservers: [{ hostname, addresses }] }, context),
    async (): Promise<Found<null>> => {
      const view = await readRegistryDomain(run, name);
      if (view.kind === 'refused') return { kind: 'refused', evidence: view.evidence };
      if (view.kind !== 'done') return { kind: 'unknown', why: view.why };
      linked = view.data.nameservers.includes(hostname) ? hostname : old;
      const isShown = view.data.nameserverAddresses !== undefined;
      if (linked === hostname && (isShown ? hasAddresses(view.data, request) : old !== hostname))
        return { kind: 'done', data: null };
      // Replacing a host by the same host is harmless, but is not repeated without limit.
      return ++resends > 1 ? { kind: 'unknown', why: 'the answer was lost twice' } : { kind: 'never' };
    },
  );
}

function stopped(run: Run<'child_host'>, reply: Exclude<Reply<unknown>, { kind: 'done' }>): WorkflowResult<never> {
  const undo = (tx: Tx, evidence: Evidence) => {
    const facts = { change: 'child_host', registry_code: evidence.code, reason: describe(evidence) };
    return appendEvent(run.ctx, tx, domainEvent(run.operation, 'domain.update_refused', facts));
  };
  return failed(run, reply, undo, refusedWith(reply));
}

function settled(
  run: Run<'child_host'>,
  domain: Domain,
  request: ChildHostRequest,
  evidence: Evidence,
): WorkflowResult<Kinds['child_host']['outcome']> {
  const { ctx, operation } = run;
  const { hostname, addresses, from } = request;
  return {
    kind: 'done',
    evidence,
    outcome: { changed: ['child_host'] },
    async settle(tx) {
      const now = ctx.clock.now();
      const before = await readChildHosts(tx, domain.id);
      if (from !== null) {
        await dropChildHost(tx, domain.id, from);
        await renameNameserver(tx, domain.registry_id, from, hostname, now);
      }
      if (addresses.length === 0) await dropChildHost(tx, domain.id, hostname);
      else await saveChildHost(tx, domain, { hostname, addresses });
      const after = await readChildHosts(tx, domain.id);
      await audit(ctx, tx, actorOf(operation), {
        action: 'domain.child_host',
        objectType: 'domain',
        objectId: domain.id,
        before: { child_hosts: before },
        after: { child_hosts: after, operation_id: operation.id },
      });
      const facts = { changed: ['child_host'], before: { child_hosts: before }, after: { child_hosts: after } };
      await appendEvent(ctx, tx, domainEvent(operation, 'domain.updated', facts));
    },
  };
}
