import { useState } from 'preact/hooks';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { changed } from '../data/resource.ts';

export interface Act {
  readonly busy: boolean;
  readonly trouble: Trouble | undefined;
  /** Answers whether it succeeded. */
  act(work: () => Promise<void>): Promise<boolean>;
}

/** One call from a form: what it said stays with the form until it succeeds. Where somebody else was faster (412), `address` is read again. */
export function useAct(read: (error: unknown) => Trouble = asTrouble, address?: string): Act {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
      setTrouble(undefined);
      return true;
    } catch (error) {
      const trouble = read(error);
      setTrouble(trouble);
      if (trouble.status === 412 && address) await changed(address);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, trouble, act };
}
