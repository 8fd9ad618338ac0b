import { NameError, RecordError, RRsetError } from '@namehold/dns';
import { Refusal } from '../../errors.ts';

/** Runs a parser of the DNS library and reports its errors as fields of the request. */
export function inFields<T>(fieldOf: (field: string) => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems) throw error;
    throw fieldsRefusal(problems.map(({ field, reason }) => ({ field: fieldOf(field), reason })));
  }
}

function problemsOf(error: unknown): readonly { field: string; reason: string }[] | undefined {
  if (error instanceof RRsetError) return error.problems;
  if (error instanceof RecordError) return [error];
  if (error instanceof NameError) return [{ field: 'name', reason: error.reason }];
  return undefined;
}

/** The DNS library returns fragments; API callers get sentences. A leading domain name keeps its case. */
function asSentence(reason: string): string {
  const [first = ''] = reason.split(' ', 1);
  const begun = /^[a-z]+$/.test(first) ? `${first[0]!.toUpperCase()}${reason.slice(1)}` : reason;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

export function fieldsRefusal(problems: readonly { field: string; reason: string; code?: string }[]): Refusal {
  const errors = problems.map(({ field, reason, code }) => ({
    field,
    code: code ?? 'invalid',
    message: asSentence(reason),
  }));
  return new Refusal('invalid_argument', `${errors[0]!.field}: ${errors[0]!.message}`, { errors });
}
