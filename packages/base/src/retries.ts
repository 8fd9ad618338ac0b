const tries = 5;
/** Nothing was kept: a serialization failure, a deadlock, a lock that did not come in time. */
const retryable = new Set(['40001', '40P01', '55P03']);

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

/** Codes that say other things too, by the words of this one: a prepared statement answers otherwise by now; a column is gone that a function knew. */
const words: Readonly<Record<string, RegExp>> = {
  '0A000': /cached plan must not change result type/,
  XX000: /cache lookup failed for type/,
};

/**
 * What the connection knows is no longer so. A statement that was prepared there was removed (26000), one is there that never was (42P05: a pooler
 * hands sessions on), or another release has just given a table one column
 * more or less, and rows had another form when a function began than when it ended (42804).
 */
export function isStaleSession(error: unknown): boolean {
  const code = codeOf(error);
  return code === '26000' || code === '42P05' || code === '42804' || words[code]?.test(String(error)) === true;
}

/** Somebody else was at it for too long, again and again. */
export const isContended = (error: unknown): boolean => retryable.has(codeOf(error));

export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = isContended(error) || isStaleSession(error);
      if (!isPassing || tried >= tries) throw error;
    }
  }
}
