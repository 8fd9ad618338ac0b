const tries = 5;
/** Nothing was kept: a serialization failure, a deadlock, a lock that did not come in time. */
const retryable = new Set(['40001', '40P01', '55P03']);

export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (!retryable.has(code) || tried >= tries) throw error;
    }
  }
}
