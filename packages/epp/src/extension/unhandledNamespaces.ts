import type { ExtValue, ResultSpec } from '../model/response.ts';
import type { XmlElement } from '../xml/tree.ts';

const REASON_SUFFIX = ' not in login services';

/** RFC 9038 3.1: data of a namespace that the client did not announce goes into an extValue of the result. */
export function unhandledValue(value: XmlElement): ExtValue {
  return { value, reason: `${value.ns}${REASON_SUFFIX}` };
}

/** The namespaces whose data a server moved into an extValue. */
export function unhandledUris(results: readonly ResultSpec[]): string[] {
  const found = new Set<string>();
  for (const result of results) {
    for (const { value, reason } of result.extValues ?? []) {
      if (value !== undefined && reason.endsWith(REASON_SUFFIX)) found.add(value.ns);
    }
  }
  return [...found];
}
