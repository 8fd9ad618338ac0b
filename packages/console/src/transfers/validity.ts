import { useEffect, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { inTurn } from '../data/in-turn.ts';

interface Validity {
  readonly known?: Shape<'TransferValidity'>;
  readonly trouble?: Trouble;
  again(): void;
}

/** Whether a name can come. Asked once and when somebody wants it again, for the registry is asked each time; without the code, which some registries count. */
export function useValidity(name: string): Validity {
  const [round, setRound] = useState(0);
  const [said, setSaid] = useState<Omit<Validity, 'again'>>({});
  useEffect(() => {
    let isGone = false;
    setSaid({});
    void inTurn(() => call('post', '/domains/transfer/validity', { body: { domain_name: name } })).then(
      ({ body }) => !isGone && setSaid({ known: body }),
      (error: unknown) => !isGone && setSaid({ trouble: asTrouble(error) }),
    );
    return () => {
      isGone = true;
    };
  }, [name, round]);
  return { ...said, again: () => setRound(round + 1) };
}
