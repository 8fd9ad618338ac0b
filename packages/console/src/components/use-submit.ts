import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../api/error.ts';
import { changed } from '../data/resource.ts';

export interface Act {
  readonly busy: boolean;
  readonly error: ApiError | undefined;
  /** Returns whether the work succeeded. */
  act(work: () => Promise<void>): Promise<boolean>;
}

/** Runs one call of a form and keeps its error until the next success. After a conflict (412), `address` is read again. */
export function useAct(read: (cause: unknown) => ApiError = asApiError, address?: string): Act {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
      setError(undefined);
      return true;
    } catch (cause) {
      const error = read(cause);
      setError(error);
      if (error.status === 412 && address) await changed(address);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, act };
}
