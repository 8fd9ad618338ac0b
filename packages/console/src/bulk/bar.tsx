import { useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import type { Selection } from '../components/table.tsx';
import { Bulk } from './bulk.tsx';
import { messages } from './messages.ts';
import { itemOf, mostNames, verbs } from './run.ts';
import { useBulkRun } from './use-run.ts';

type Row = Schema<'Domain'>;
type SelectedRows = ReadonlyMap<string, Row>;

/** Keeps the selection across pages and filters, up to a limit. */
export function useSelection(rows: readonly Row[] | undefined) {
  const [chosen, setChosen] = useState<SelectedRows>(new Map());
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

/** Actions on the selected domains, and a link to an unfinished bulk action. */
export function BulkBar({ chosen, isCut, clear }: ReturnType<typeof useSelection>) {
  const t = messages();
  const props = useBulkRun();
  const [isOpen, setOpen] = useState(false);
  const { run } = props;
  const close = () => {
    setOpen(false);
    // The run is kept only while outcomes are unknown.
    if (!run?.items.some((each) => each.state === 'unknown')) props.dismiss();
  };
  return (
    <>
      {run && !isOpen && (
        <div class="bulk-bar" role="status">
          <strong>{t.interrupted}</strong>
          <Button small kind="primary" onClick={() => setOpen(true)}>
            {t.resume}
          </Button>
          <Button small onClick={props.dismiss}>
            {t.dismiss}
          </Button>
        </div>
      )}
      {chosen.size > 0 && !(run && !isOpen) && (
        <section class="bulk-bar" aria-label={t.bar}>
          <span aria-live="polite">
            <strong>{t.selected(chosen.size)}</strong> {isCut && t.limitedTo(mostNames)}
          </span>
          {verbs.map((verb) => (
            <Button
              key={verb}
              small
              onClick={() => {
                props.begin({ verb, items: [...chosen.values()].map(itemOf) });
                setOpen(true);
              }}
            >
              {t.verbs[verb]}
            </Button>
          ))}
          <Button small kind="quiet" onClick={clear}>
            {t.clear}
          </Button>
        </section>
      )}
      {isOpen && run && <Bulk bulkRun={props} onClose={close} />}
    </>
  );
}
