import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { Button } from '../parts/button.tsx';
import type { Selection } from '../parts/table.tsx';
import { Bulk } from './bulk.tsx';
import { itemOf, mostNames, verbs } from './run.ts';
import { useRun } from './use-run.ts';
import { words } from './words.ts';

type Row = Shape<'Domain'>;
type Chosen = ReadonlyMap<string, Row>;

/** What is ticked stays ticked on the next page and under another filter, up to a number that can be looked at. */
export function useChosen(rows: readonly Row[] | undefined) {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [isCut, setCut] = useState(false);
  const selection: Selection = {
    chosen: new Set(chosen.keys()),
    onChosen: (names) => {
      const known = (name: string) => rows?.find((row) => row.domain_name === name) ?? chosen.get(name);
      const next = [...names].flatMap((name) => {
        const row = known(name);
        return row ? [[name, row] as const] : [];
      });
      setCut(next.length > mostNames);
      setChosen(new Map(next.slice(0, mostNames)));
    },
  };
  return { chosen, isCut, selection, clear: () => setChosen(new Map()) };
}

/** What can be done with all that is ticked; and an action that was left before every outcome was known. */
export function BulkBar({ chosen, isCut, clear }: ReturnType<typeof useChosen>) {
  const w = words();
  const given = useRun();
  const [isOpen, setOpen] = useState(false);
  const { run } = given;
  const close = () => {
    setOpen(false);
    // Kept only for what is not known yet.
    if (!run?.items.some((each) => each.state === 'unknown')) given.forget();
  };
  return (
    <>
      {run && !isOpen && (
        <div class="bulk-bar" role="status">
          <strong>{w.interrupted}</strong>
          <Button small kind="primary" onClick={() => setOpen(true)}>
            {w.resume}
          </Button>
          <Button small onClick={given.forget}>
            {w.drop}
          </Button>
        </div>
      )}
      {chosen.size > 0 && !(run && !isOpen) && (
        <section class="bulk-bar" aria-label={w.bar}>
          <span aria-live="polite">
            <strong>{w.chosen(chosen.size)}</strong> {isCut && w.most(mostNames)}
          </span>
          {verbs.map((verb) => (
            <Button
              key={verb}
              small
              onClick={() => {
                given.begin({ verb, items: [...chosen.values()].map(itemOf) });
                setOpen(true);
              }}
            >
              {w.verbs[verb]}
            </Button>
          ))}
          <Button small kind="quiet" onClick={clear}>
            {w.clear}
          </Button>
        </section>
      )}
      {isOpen && run && <Bulk given={given} onClose={close} />}
    </>
  );
}
