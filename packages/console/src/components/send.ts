import { asApiError } from '../api/error.ts';
import type { Draft } from '../data/draft.ts';
import { type Submission, useSubmit } from './use-submit.ts';

interface Sending extends Pick<Submission, 'busy' | 'error'> {
  /** Calls `call` with the idempotency key. `then` is part of sending: the form stays busy until it ends. */
  send<T>(
    call: (options: { readonly idempotencyKey: string }) => Promise<T>,
    then?: (response: T) => Promise<void> | void,
  ): Promise<boolean>;
}

/** Sends a draft. Success deletes the draft, a refusal renews its key, and an unknown outcome keeps the key for a repeat. */
export function useSend(draft: Pick<Draft<unknown>, 'idempotencyKey' | 'clear' | 'renew'>): Sending {
  const { perform, ...now } = useSubmit((cause) => {
    const error = asApiError(cause);
    if (error.isRefusal) draft.renew();
    return error;
  });
  return {
    ...now,
    send: (call, then) =>
      perform(async () => {
        const response = await call({ idempotencyKey: draft.idempotencyKey });
        draft.clear();
        await then?.(response);
      }),
  };
}
