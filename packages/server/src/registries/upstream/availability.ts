import type { Availability, FeeQuestion, Registry, Reply } from '../../core/ports/registry.ts';
import type { AvailabilityResult } from './dialect.ts';
import { clientOf, type Upstream } from './upstream.ts';

/** The reason for a domain that is in our own account there. */
export const heldByUs = 'regthroughus';

/** How long names are collected for one request. */
const gatherMs = 5;

interface Waiting {
  readonly name: string;
  readonly resolve: (reply: Reply<AvailabilityResult>) => void;
  readonly reject: (error: unknown) => void;
}

/** Combines concurrent availability queries into one request. */
export function availabilityOf(u: Upstream): Registry['check'] {
  let waiting: Waiting[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    for (let at = 0; at < batch.length; at += u.profile.limits.namesPerCheck) {
      const some = batch.slice(at, at + u.profile.limits.namesPerCheck);
      // If the rate limit in our database has no slot, every query of the request fails with it.
      queryMany(u, some).catch((error: unknown) => {
        for (const { reject } of some) reject(error);
      });
    }
  };
  const queryOne = (name: string) =>
    new Promise<Reply<AvailabilityResult>>((resolve, reject) => {
      if (waiting.push({ name, resolve, reject }) === 1) setTimeout(flush, gatherMs);
    });
  return async (names, fee) => {
    const found: Availability[] = [];
    const answers = await Promise.all(names.map(queryOne));
    for (const [place, answer] of answers.entries()) {
      if (answer.kind !== 'done') return answer;
      if (answer.data.status === 'unknown')
        return { kind: 'unsent', why: `the upstream cannot currently determine whether ${names[place]} is available` };
      found.push(await toAvailability(u, names[place]!, answer.data, fee));
    }
    return { kind: 'done', data: found, pending: false, evidence: {} };
  };
}

async function queryMany(u: Upstream, batch: readonly Waiting[]): Promise<void> {
  const names = [...new Set(batch.map(({ name }) => name))];
  const { reply } = await u.account.inquire(u.dialect.check.call(names));
  for (const { name, resolve } of batch) {
    const checked = reply.kind === 'done' ? u.dialect.check.read(reply.data, name) : undefined;
    if (reply.kind !== 'done') resolve(reply);
    else if (checked) resolve({ ...reply, data: checked });
    else resolve({ kind: 'unsent', why: `the upstream returned nothing about ${name}` });
  }
}

async function toAvailability(
  u: Upstream,
  name: string,
  checked: AvailabilityResult,
  fee: FeeQuestion | undefined,
): Promise<Availability> {
  const available = checked.status === 'available';
  const reason = checked.status === 'ours' ? heldByUs : checked.reason;
  const bare = { name, available, ...(available || reason === undefined ? {} : { reason }) };
  return fee && u.dialect.prices ? { ...bare, ...(await u.dialect.prices(clientOf(u), checked, name, fee)) } : bare;
}
