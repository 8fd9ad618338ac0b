import { allTenants } from '@namehold/postgres';
import { wasReviewed } from '../../operations/journal.sql.ts';
import type { Found, Run } from '../../operations/run.ts';
import type { DomainChange, RegistryDomain, Reply } from '../../ports/registry.ts';
import { readRegistryDomain } from '../registry/read-registry-domain.ts';
import { recreateMissingContacts } from '../registry/recreate-contacts.ts';
import { difference, isEmptyChange, type Target } from './wanted.ts';

export interface Sent {
  readonly reply: Reply<null>;
  /** The registry's view before the update, and the change that was sent. */
  readonly view: RegistryDomain;
  readonly change: DomainChange;
}

/** Refusals that mean the difference was computed from a stale view: it is computed again, once. */
const staleCodes = new Set([2302, 2303, 2306]);

const doesNotExist = 2303;

const named = ({ registrant, declarant, contacts = {} }: Target): string[] =>
  [registrant, declarant, ...Object.values(contacts)].filter((handle) => typeof handle === 'string');

/**
 * Sends one update with the difference. If the answer is lost, the view is compared with the target and only what is still missing is
 * sent.
 */
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
    if (run.isDecidedByOperator) return { kind: 'done', data: null };
    if (view.statuses.includes('pendingUpdate')) return { kind: 'done', data: null, pending: true };
    const left = difference(view, target);
    if (isEmptyChange(left)) return { kind: 'done', data: null };
    if (await wasReviewed(run.ctx.db.as(allTenants), run.operation.id, step)) {
      return {
        kind: 'refused',
        evidence: { text: 'the registry accepted the change for review and did not execute it' },
      };
    }
    change = left;
    // An auth code cannot be compared. Sending it again is harmless, but is not repeated without limit.
    if (++resends > 1 && run.operation.secrets_sealed !== null) {
      return { kind: 'unknown', why: 'the answer was lost twice' };
    }
    return { kind: 'never' };
  };
  const reply = await run.command(step, (context) => run.registry.update(first.name, change, context), findOutcome);
  return { reply, view, change };
}
