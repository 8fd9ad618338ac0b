import { describe } from '../../model/evidence.ts';
import type { Refused } from '../../model/operation.ts';
import type { Run } from '../../operations/run.ts';
import type { RegistryDomain, Reply } from '../../ports/registry.ts';
import { compareBeforeOperation } from '../compare/compare-before-operation.ts';
import { isStale, mayBeStaleRead, staleRead } from './stale-read.ts';

/** A fresh read of a domain that must exist and be ours; any other result is a definite refusal. */
export async function readRegistryDomain(run: Run, name: string): Promise<Reply<RegistryDomain>> {
  const reply = await run.registry.info(name);
  // A refused query says nothing about the domain, so it is repeated later.
  if (reply.kind === 'refused') return { kind: 'unsent', why: run.noAnswer(describe(reply.evidence)).why };
  if (reply.kind !== 'done') return reply;
  if (!run.isDecidedByOperator && mayBeStaleRead(run) && (await isStale(run, reply.data))) return staleRead;
  if (!reply.data)
    return {
      kind: 'refused',
      evidence: { ...reply.evidence, code: 2303, text: `${name} does not exist at the registry` },
    };
  if (!reply.data.isOurs) {
    const text = `${name} is sponsored by another registrar${reply.data.sponsor === null ? '' : ` (${reply.data.sponsor})`}`;
    return { kind: 'refused', evidence: { ...reply.evidence, code: 2201, text } };
  }
  if (run.takeFirstRead() && !run.isDecidedByOperator) await compareBeforeOperation(run, reply.data);
  return { ...reply, data: reply.data };
}

/** For a query before a command: lost or not, nothing of the command has been sent. */
export const notYetSent = <T>(reply: Exclude<Reply<T>, { kind: 'done' }>): Exclude<Reply<T>, { kind: 'done' }> =>
  reply.kind === 'unknown' ? { kind: 'unsent', why: reply.why } : reply;

/** Registry codes with their own refusal. */
export function refusedWith(reply: Reply<unknown>): Refused['error'] {
  if (reply.kind !== 'refused') return undefined;
  const { code, text, reasons } = reply.evidence;
  const why = [...new Set([text ?? '', ...(reasons ?? [])])].filter((each) => each !== '').join('; ');
  if (code === 2305) return { code: 'in_use', sentence: `The registry reports that it is still in use: ${why}` };
  if (code === 2303 || code === 2201) return { code: 'conflict', sentence: why };
  return undefined;
}
