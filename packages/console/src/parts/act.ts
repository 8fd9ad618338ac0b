import { useState } from 'preact/hooks';
import { asTrouble, type Trouble } from '../api/trouble.ts';

export interface Act {
  readonly busy: boolean;
  readonly trouble: Trouble | undefined;
  /** Answers whether it succeeded. */
  act(work: () => Promise<void>): Promise<boolean>;
}

/** One call from a form: what it said stays with the form until it succeeds. */
export function useAct(read: (error: unknown) => Trouble = asTrouble): Act {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
      setTrouble(undefined);
      return true;
    } catch (error) {
      setTrouble(read(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, trouble, act };
}
