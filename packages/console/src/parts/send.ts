import { asTrouble } from '../api/trouble.ts';
import type { Draft } from '../data/draft.ts';
import { type Act, useAct } from './act.ts';

interface Sending extends Pick<Act, 'busy' | 'trouble'> {
  /** `call` is given the key of the order. What follows on it is still a part of sending: nothing can be sent twice meanwhile. */
  send<T>(
    call: (manner: { readonly idempotencyKey: string }) => Promise<T>,
    then?: (said: T) => Promise<void> | void,
  ): Promise<boolean>;
}

/** Sends what a draft holds. Once it is taken the draft is gone; refused, it is another order; when nobody knows, the same one again. */
export function useSend(draft: Pick<Draft<unknown>, 'idempotencyKey' | 'clear' | 'renew'>): Sending {
  const { act, ...now } = useAct((error) => {
    const trouble = asTrouble(error);
    if (trouble.isRefusal) draft.renew();
    return trouble;
  });
  return {
    ...now,
    send: (call, then) =>
      act(async () => {
        const said = await call({ idempotencyKey: draft.idempotencyKey });
        draft.clear();
        await then?.(said);
      }),
  };
}
