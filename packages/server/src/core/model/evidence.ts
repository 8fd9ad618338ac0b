import type { Evidence } from '../ports/registry.ts';

export function describe(evidence: Evidence): string {
  return [`${evidence.code ?? ''} ${evidence.text ?? ''}`.trim(), ...(evidence.reasons ?? [])].join('; ');
}
