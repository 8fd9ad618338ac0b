import { allTenants } from '@namehold/base';
import { wasReviewed } from '../../operations/journal.sql.ts';
import type { Found, Run } from '../../operations/run.ts';
import { readRegistryDomain } from '../registry/read-registry-domain.ts';
import { recreateMissingContacts } from '../registry/recreate-contacts.ts';
import type { DomainChange, RegistryDomain, Reply } from '../registry/registry.ts';
import { difference, isEmptyChange, type Target } from './wanted.ts';

export interface Sent {
  readonly reply: Reply<null>;
  /** What the registry showed before, and what was sent on top of it. */
  readonly view: RegistryDomain;
  readonly change: DomainChange;
}

/** Refusals of a difference that was computed from a view which is no longer true (epp.md 6): computed anew, once. */
const staleCodes = new Set([2302, 2303, 2306]);

const doesNotExist = 2303;

const named = ({ registrant, declarant, contacts = {} }: Target): string[] =>
  [registrant, declarant, ...Object.values(contacts)].filter((handle) => typeof handle === 'string');

/** One update with what differs. A lost answer is compared with the target; only what is still missing is sent. */
export async function sendDifference(run: Run, step: string, first: RegistryDomain, target: Target): Promise<Sent> {
  const once = await send(run, step, first, target);
  if (once.reply.kind !== 'refused' || !staleCodes.has(once.reply.evidence.code ?? 0)) return once;
  const isRepaired = once.reply.evidence.code === doesNotExist && (await recreateMissingContacts(run, named(target)));
  const fresh = await readRegistryDomain(run, first.name);
  if (fresh.kind !== 'done') return once;
  const left = difference(fresh.data, target);
  if (isEmptyChange(left)) return { reply: { ...fresh, data: null }, view: fresh.data, change: {} };
  if (!isRepaired && JSON.stringify(left) === JSON.stringify(once.change)) return once;
  return send(run, `${step}-again`, fresh.data, target);
}

async function send(run: Run, step: string, first: RegistryDomain, target: Target): Promise<Sent> {
  let view = first;
  let change = difference(view, target);
  if (isEmptyChange(change)) {
    return { reply: { kind: 'done', data: null, pending: false, evidence: {} }, view, change };
  }
  let resends = 0;
  const findOutcome = async (): Promise<Found<null>> => {
    const queryReply = await readRegistryDomain(run, first.name);
    if (queryReply.kind === 'refused') return { kind: 'refused', evidence: queryReply.evidence };
    if (queryReply.kind !== 'done') return { kind: 'unknown', why: queryReply.why };
    view = queryReply.data;
    if (run.isTakenAtWord) return { kind: 'done', data: null };
    if (view.statuses.includes('pendingUpdate')) return { kind: 'done', data: null, pending: true };
    const left = difference(view, target);
    if (isEmptyChange(left)) return { kind: 'done', data: null };
    if (await wasReviewed(run.ctx.db.as(allTenants), run.operation.id, step)) {
      return { kind: 'refused', evidence: { text: 'the registry accepted the change for review and did not make it' } };
    }
    change = left;
    // A code cannot be compared; sending it again does no harm, but not without end.
    if (++resends > 1 && run.operation.secrets_sealed !== null) {
      return { kind: 'unknown', why: 'the answer was lost twice' };
    }
    return { kind: 'never' };
  };
  const reply = await run.command(step, (context) => run.registry.update(first.name, change, context), findOutcome);
  return { reply, view, change };
}
