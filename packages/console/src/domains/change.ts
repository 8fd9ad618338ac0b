import { useRef, useState } from 'preact/hooks';
import type { Answered, Manner } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { changed } from '../data/resource.ts';

export interface Change {
  readonly busy: boolean;
  readonly trouble: Trouble | undefined;
  /** The order that came of it, or the one that stands in the way: its steps are shown in the same place. */
  readonly operationId: string | undefined;
  /** True where the service took it. */
  run(act: (manner: Manner) => Promise<Answered<unknown>>): Promise<boolean>;
  /** Back to the form. */
  reset(): void;
}

/** The order that an answer names, where it names one. */
export const operationOf = (body: unknown): string | undefined => {
  const id = (body as { operation_id?: unknown } | null)?.operation_id;
  return typeof id === 'string' ? id : undefined;
};

/** One change of a name. Its key stays until it was refused or taken: sent again after silence it is the same change. */
export function useChange(): Change {
  const key = useRef(crypto.randomUUID());
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const [operationId, setOperationId] = useState<string>();
  return {
    busy,
    trouble,
    operationId,
    async run(act) {
      setBusy(true);
      setTrouble(undefined);
      try {
        const { body } = await act({ idempotencyKey: key.current });
        key.current = crypto.randomUUID();
        setOperationId(operationOf(body));
        await changed('/domains', '/operations', '/account');
        return true;
      } catch (error) {
        const said = asTrouble(error);
        if (said.isRefusal) key.current = crypto.randomUUID();
        setTrouble(said);
        // Somebody else was faster: what stands there now is shown beside what was typed.
        if (said.status === 412) await changed('/domains');
        if (said.status === 409) setOperationId(operationOf(said.facts));
        return false;
      } finally {
        setBusy(false);
      }
    },
    reset() {
      setTrouble(undefined);
      setOperationId(undefined);
    },
  };
}
