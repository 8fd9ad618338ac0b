import { useRef, useState } from 'preact/hooks';
import type { ApiResponse, CallOptions } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import { invalidate } from '../data/resource.ts';

export interface Change {
  readonly busy: boolean;
  readonly error: ApiError | undefined;
  /** The operation that resulted, or the one that blocks the change. */
  readonly operationId: string | undefined;
  /** Returns whether the service accepted the change. */
  run(act: (options: CallOptions) => Promise<ApiResponse<unknown>>): Promise<boolean>;
  /** Returns to the form. */
  reset(): void;
}

/** The operation id in a response, if there is one. */
export const operationOf = (body: unknown): string | undefined => {
  const id = (body as { operation_id?: unknown } | null)?.operation_id;
  return typeof id === 'string' ? id : undefined;
};

/** One change of a domain. The idempotency key stays until the service accepts or refuses the change. */
export function useChange(): Change {
  const key = useRef(crypto.randomUUID());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [operationId, setOperationId] = useState<string>();
  return {
    busy,
    error,
    operationId,
    async run(act) {
      setBusy(true);
      setError(undefined);
      try {
        const { body } = await act({ idempotencyKey: key.current });
        key.current = crypto.randomUUID();
        setOperationId(operationOf(body));
        await invalidate('/domains', '/operations', '/account');
        return true;
      } catch (cause) {
        const apiError = asApiError(cause);
        if (apiError.isRefusal) key.current = crypto.randomUUID();
        setError(apiError);
        // Someone else changed the domain: the current value is read for comparison.
        if (apiError.status === 412) await invalidate('/domains');
        if (apiError.status === 409) setOperationId(operationOf(apiError.facts));
        return false;
      } finally {
        setBusy(false);
      }
    },
    reset() {
      setError(undefined);
      setOperationId(undefined);
    },
  };
}
