import type { ResponseSpec } from '../model/response.ts';

/** One result with its reasons; each reason has an extValue of its own. */
export function refusal(code: number, ...reasons: readonly string[]): ResponseSpec {
  if (reasons.length === 0) return { results: [{ code }] };
  return { results: [{ code, extValues: reasons.map((reason) => ({ reason })) }] };
}
