import type { Availability, FeeQuestion, Registry, RegistryFee, Reply } from '../../core/ports/registry.ts';
import { type Fields, objectOf, objectsOf, textOf } from './fields.ts';
import type { Upstream } from './upstream.ts';

/** How long names are collected for one request. */
const gatherMs = 5;

interface Waiting {
  readonly name: string;
  readonly resolve: (reply: Reply<Fields>) => void;
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
    new Promise<Reply<Fields>>((resolve, reject) => {
      if (waiting.push({ name, resolve, reject }) === 1) setTimeout(flush, gatherMs);
    });
  return async (names, fee) => {
    const found: Availability[] = [];
    const answers = await Promise.all(names.map(queryOne));
    for (const [place, answer] of answers.entries()) {
      if (answer.kind !== 'done') return answer;
      const status = textOf(answer.data.status);
      if (status === undefined || status === 'unknown')
        return { kind: 'unsent', why: `the upstream cannot currently determine whether ${names[place]} is available` };
      found.push(await toAvailability(u, names[place]!, status, answer.data, fee));
    }
    return { kind: 'done', data: found, pending: false, evidence: {} };
  };
}

async function queryMany(u: Upstream, batch: readonly Waiting[]): Promise<void> {
  const names = [...new Set(batch.map(({ name }) => name))];
  const reply = await u.account.fetchReply('/domains/availability', { domain: names.join(',') });
  const rows = reply.kind === 'done' ? objectsOf(reply.data) : [];
  for (const { name, resolve } of batch) {
    const entry = rows.map((row) => objectOf(row[name])).find((each) => each !== undefined);
    if (reply.kind !== 'done') resolve(reply);
    else if (entry) resolve({ ...reply, data: entry });
    else resolve({ kind: 'unsent', why: `the upstream returned nothing about ${name}` });
  }
}

async function toAvailability(
  u: Upstream,
  name: string,
  status: string,
  entry: Fields,
  fee: FeeQuestion | undefined,
): Promise<Availability> {
  const isOurs = status === 'regthroughus';
  const available = status === 'available';
  const reason = isOurs ? status : textOf(entry.reason);
  const bare = { name, available, ...(available || reason === undefined ? {} : { reason }) };
  if (!fee || u.profile.dialect !== 'namehold') return bare;
  if (isOurs) return { ...bare, ...(await renewalFees(u, name)) };
  if (!available) return { ...bare, ...(fee.isTransfer ? await transferFee(u, name) : {}) };
  const premiumClass = textOf(entry.premium_class);
  const shown = fee.years === 1 ? feeOf(entry.price) : undefined;
  const createFee = shown ?? (await quoted(u, 'register', name, fee.years))?.fee;
  return { ...bare, ...(premiumClass === undefined ? {} : { premiumClass }), ...(createFee ? { createFee } : {}) };
}

/** The renewal price of a domain that we hold there. */
async function renewalFees(u: Upstream, name: string): Promise<Partial<Availability>> {
  const [renew, restore] = await Promise.all([quoted(u, 'renew', name, 1), quoted(u, 'restore', name, 1)]);
  const premiumClass = renew?.premiumClass ?? restore?.premiumClass;
  return {
    ...(renew ? { renewFee: renew.fee } : {}),
    ...(restore ? { restoreFee: restore.fee } : {}),
    ...(premiumClass === undefined ? {} : { premiumClass }),
  };
}

async function transferFee(u: Upstream, name: string): Promise<Partial<Availability>> {
  const transfer = await quoted(u, 'transfer', name, 1);
  if (!transfer) return {};
  const { fee, premiumClass } = transfer;
  return { transferFee: fee, ...(premiumClass === undefined ? {} : { premiumClass }) };
}

function feeOf(value: unknown): RegistryFee | undefined {
  const money = objectOf(value);
  const [amount, currency] = [textOf(money?.amount), textOf(money?.currency)];
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}

async function quoted(u: Upstream, kind: string, name: string, years: number) {
  const form = { kind, domain_name: name, years: String(years) };
  const reply = await u.account.fetchReply('/quotes', {}, { method: 'POST', form });
  const quote = reply.kind === 'done' ? objectOf(reply.data) : undefined;
  const fee = feeOf(quote?.total);
  return fee && { fee, premiumClass: textOf(quote?.premium_class) };
}
