import { useEffect, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { limitConcurrency } from '../data/concurrency.ts';

interface Validity {
  readonly known?: Schema<'TransferValidity'>;
  readonly error?: ApiError;
  again(): void;
}

/** Checks whether a domain can be transferred, once and on request. The check has no code, because some registries count attempts. */
export function useValidity(name: string): Validity {
  const [round, setRound] = useState(0);
  const [validity, setValidity] = useState<Omit<Validity, 'again'>>({});
  useEffect(() => {
    let isGone = false;
    setValidity({});
    void limitConcurrency(() => call('post', '/domains/transfer/validity', { body: { domain_name: name } })).then(
      ({ body }) => !isGone && setValidity({ known: body }),
      (cause: unknown) => !isGone && setValidity({ error: asApiError(cause) }),
    );
    return () => {
      isGone = true;
    };
  }, [name, round]);
  return { ...validity, again: () => setRound(round + 1) };
}
