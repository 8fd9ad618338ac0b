import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { describe } from '../model/evidence.ts';
import type { Operation } from '../model/operation.ts';
import type { Registry, RegistryFee, StatementLine } from '../ports/registry.ts';
import { clTRIDsOf } from './journal.sql.ts';

export const statementLimits = {
  /** A missing charge counts as evidence only this long after the order, because the statement may be published later than the act. */
  lagMs: 600_000,
  /** Allowed difference between the registry's clock and ours. */
  skewMs: 60_000,
};

/** What the registry's own statement shows about the deciding command of an operation. */
type StatementFinding =
  | { readonly kind: 'charged'; readonly at: Date; readonly fee: RegistryFee }
  | { readonly kind: 'refunded'; readonly at: Date; readonly fee: RegistryFee }
  | { readonly kind: 'not_charged' }
  /** The registry has no statement, or its statement does not show which command was charged. */
  | { readonly kind: 'no_statement' }
  /** The statement could not be read, or is too recent. */
  | { readonly kind: 'later'; readonly why: string };

/** The commands in a statement by the kind of the operation. */
const commandOf: Partial<Record<Operation['kind'], string>> = {
  register: 'create',
  renew: 'renew',
  transfer: 'transfer',
  restore: 'restore',
};

/** All lines for a domain name, oldest first; undefined if the registry has no statement or does not answer. */
export async function linesOf(
  registry: Pick<Registry, 'holdings' | 'hasNoStatement'>,
  name: string,
): Promise<readonly StatementLine[] | undefined> {
  if (registry.hasNoStatement) return undefined;
  const reply = await registry.holdings?.({ name });
  if (reply?.kind !== 'done') return undefined;
  return [...(reply.data[0]?.lines ?? [])].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * A charge belongs to an operation if the statement names one of its commands (clTRID). If the statement names no commands, a charge
 * counts from the operation's first command on, because no other operation of the domain is open then.
 */
export async function findStatementCharge(
  ctx: Pick<AppContext, 'db' | 'wall'>,
  registry: Pick<Registry, 'holdings' | 'hasNoStatement'>,
  operation: Operation,
): Promise<StatementFinding> {
  const command = commandOf[operation.kind];
  if (!registry.holdings || registry.hasNoStatement || !command || !('name' in operation.request))
    return { kind: 'no_statement' };
  const reply = await registry.holdings({ name: operation.request.name });
  if (reply.kind !== 'done')
    return { kind: 'later', why: reply.kind === 'refused' ? describe(reply.evidence) : reply.why };
  const lines = reply.data[0]?.lines ?? [];
  const sent = new Set(await clTRIDsOf(ctx.db.as(allTenants), operation.id, operation.kind));
  const isNamed = lines.some(({ kind, clTRID }) => kind === 'charge' && clTRID !== undefined);
  const since = sentAtOf(operation);
  if (!isNamed && lines.length > 0 && since === undefined) return { kind: 'no_statement' };
  const isOwn = ({ clTRID, at }: StatementLine) =>
    clTRID === undefined
      ? !isNamed && since !== undefined && at.getTime() >= since.getTime() - statementLimits.skewMs
      : sent.has(clTRID);
  const charge = lines.find((line) => line.kind === 'charge' && line.command === command && isOwn(line));
  if (charge) {
    const back = lines.some((line) => isRefundOf(line, charge));
    return { kind: back ? 'refunded' : 'charged', at: charge.at, fee: charge.fee };
  }
  const ageMs = ctx.wall.now().getTime() - operation.created_at.getTime();
  if (ageMs < statementLimits.lagMs) return { kind: 'later', why: 'the statement does not show a charge for it yet' };
  return { kind: 'not_charged' };
}

const isRefundOf = (line: StatementLine, charge: StatementLine): boolean =>
  line.kind === 'refund' &&
  line.command === charge.command &&
  line.fee.amount === charge.fee.amount &&
  line.at >= charge.at;

/** By the business clock, which is the registry's. Orders of older releases have no such time. */
function sentAtOf(operation: Operation): Date | undefined {
  const plan = operation.outcome?.plan;
  const at =
    operation.kind === 'renew'
      ? operation.outcome?.plan?.sending?.at
      : operation.kind === 'restore'
        ? operation.outcome?.plan?.at
        : undefined;
  return plan && at ? new Date(at) : undefined;
}
