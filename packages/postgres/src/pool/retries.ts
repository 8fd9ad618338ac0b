const tries = 5;
/** The transaction was rolled back: serialization failure, deadlock or lock timeout. */
const retryable = new Set(['40001', '40P01', '55P03']);

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

/**
 * Codes with several causes, recognised by their message: a prepared statement has another result type now, or a type that a function
 * used was dropped.
 */
const messages: Readonly<Record<string, RegExp>> = {
  '0A000': /cached plan must not change result type/,
  XX000: /cache lookup failed for type/,
};

/**
 * The cached state of the connection is out of date. A prepared statement was removed (26000) or exists unexpectedly (42P05, behind a
 * pooler that shares sessions). Or another release changed a table's columns while a function ran (42804).
 */
export function isStaleSession(error: unknown): boolean {
  const code = codeOf(error);
  return code === '26000' || code === '42P05' || code === '42804' || messages[code]?.test(String(error)) === true;
}

/** Other transactions held the lock for too long, in every attempt. */
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
