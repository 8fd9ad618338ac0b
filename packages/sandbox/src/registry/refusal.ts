import type { ResponseSpec } from '@namehold/epp';

/** A refusal by the registry. Thrown inside the transaction, so that everything is rolled back. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: number;
  readonly reasons: readonly string[];
  constructor(code: number, reasons: readonly string[]) {
    super(`${code} ${reasons.join('; ')}`);
    this.code = code;
    this.reasons = reasons;
  }
}

export function refuse(code: number, ...reasons: string[]): never {
  throw new Refusal(code, reasons);
}

export function refusalResponse(refusal: Refusal): ResponseSpec {
  const extValues = refusal.reasons.map((reason) => ({ reason }));
  return { results: [{ code: refusal.code, ...(extValues.length > 0 ? { extValues } : {}) }] };
}
