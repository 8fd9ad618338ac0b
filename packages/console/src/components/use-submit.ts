import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../api/error.ts';
import { invalidate } from '../data/resource.ts';

export interface Submission {
  readonly busy: boolean;
  readonly error: ApiError | undefined;
  /** Returns whether the work succeeded. */
  perform(work: () => Promise<void>): Promise<boolean>;
}

/** Runs one call of a form and keeps its error until the next success. After a conflict (412), `resourcePath` is read again. */
export function useSubmit(read: (cause: unknown) => ApiError = asApiError, resourcePath?: string): Submission {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const perform = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
      setError(undefined);
      return true;
    } catch (cause) {
      const error = read(cause);
      setError(error);
      if (error.status === 412 && resourcePath) await invalidate(resourcePath);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, perform };
}
