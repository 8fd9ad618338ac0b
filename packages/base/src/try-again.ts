const tries = 5;
const forgotten = '26000';
/** Nothing was kept: a serialization failure, a deadlock, a lock that did not come in time, a prepared statement that somebody removed. */
const retryable = new Set(['40001', '40P01', '55P03', forgotten]);

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

/** The connection knows a statement no more that was prepared there. */
export const isForgotten = (error: unknown): boolean => codeOf(error) === forgotten;

export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!retryable.has(codeOf(error)) || tried >= tries) throw error;
    }
  }
}
