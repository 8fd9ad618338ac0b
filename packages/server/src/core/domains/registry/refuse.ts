import { Refusal, type RefusalCode } from '../../errors.ts';
import type { Operation } from '../../model/operation.ts';

/** Registry codes with a refusal code of our own (RFC 5730 section 3); all others become `registry_refused` with the registry's reasons. */
const meanings: Record<number, { code: RefusalCode; sentence: string }> = {
  2105: {
    code: 'registry_refused',
    sentence: 'The domain cannot be renewed further: the registry allows at most ten years',
  },
  2106: { code: 'registry_refused', sentence: 'The domain cannot be transferred now' },
  2302: { code: 'domain_not_available', sentence: 'The domain is already registered' },
  2304: { code: 'domain_blocked', sentence: 'A status of the domain does not allow this' },
};

/** The refusal that the caller of a refused operation gets; the same at every read. */
export function refusalOf(operation: Operation): Refusal {
  const known = operation.outcome?.error;
  const facts = {
    operation_id: operation.id,
    ...(operation.result_code ? { registry_code: operation.result_code } : {}),
  };
  if (known) {
    const errors = known.field ? [{ field: known.field, code: known.code, message: known.sentence }] : undefined;
    return new Refusal(known.code, known.sentence, { facts, ...(errors ? { errors } : {}) });
  }
  // A registered domain gets the same answer whether its sponsor is on this platform or not (core/domains/buy/register.ts).
  if (operation.kind === 'register' && operation.result_code === 2302) return new Refusal('domain_not_available');
  const meaning = operation.result_code === null ? undefined : meanings[operation.result_code];
  const reasons = [...new Set([operation.result_text ?? '', ...operation.reasons])]
    .filter((text) => text !== '')
    .join('; ');
  const sentence = meaning
    ? `${meaning.sentence}${reasons ? ` (${reasons})` : ''}.`
    : `The registry refused: ${reasons || 'no reason given'}`;
  return new Refusal(meaning?.code ?? 'registry_refused', sentence, { facts });
}
