import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Diff } from '../parts/diff.tsx';
import { Empty } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toast.tsx';
import { changesOf, editsBetween } from './changes.ts';
import type { Edits } from './draft.ts';
import { type LoadedZone, loadOldZone } from './load.ts';
import { shownChanges } from './review.tsx';
import { words } from './words.ts';

type Entry = Shape<'ZoneHistoryEntry'>;

export function actorText({ actor }: Entry, w: ReturnType<typeof words>): string {
  if (actor.kind === 'person') return actor.name ?? actor.id ?? '';
  return actor.kind === 'key' ? w.key(actor.id ?? '') : w.service;
}

/** Who changed what. Going back is a draft like any other: looked at first, then applied. */
export function History({
  loaded,
  onRollback,
  isWritable,
}: {
  readonly loaded: LoadedZone;
  readonly onRollback: (edits: Edits) => void;
  readonly isWritable: boolean;
}) {
  const w = words();
  const list = useResource('/domains/{domain_id}/zone/history', {
    path: { domain_id: loaded.domainId },
    query: { limit: 50 },
  });
  const [compared, setCompared] = useState<{ serial: number; edits: Edits }>();
  const [busy, setBusy] = useState<number>();
  /** What leads from the zone as it is to this serial, and what to do with it. */
  const then = async (serial: number, act: (edits: Edits) => void) => {
    setBusy(serial);
    try {
      act(editsBetween(loaded.sets, await loadOldZone(loaded.domainId, loaded.origin, serial)));
    } catch (error) {
      toast(asTrouble(error).message);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <>
      <Table<Entry>
        label={w.history}
        rows={list.data}
        trouble={list.trouble}
        onAgain={list.again}
        keyOf={(entry) => String(entry.serial)}
        empty={<Empty title={w.noZone} />}
        columns={[
          { key: 'serial', title: w.serial, isTitle: true, cell: (entry) => entry.serial },
          { key: 'when', title: w.when, cell: (entry) => <Moment at={entry.changed_at} withTime /> },
          { key: 'who', title: w.who, cell: (entry) => actorText(entry, w) },
          {
            key: 'comment',
            title: w.comment,
            cell: (entry) => entry.comment ?? <span class="faint">{w.kinds[entry.kind]}</span>,
          },
          { key: 'counts', title: w.changes, cell: (entry) => w.counts(entry.added_count, entry.deleted_count) },
          {
            key: 'acts',
            title: w.rowActions,
            cell: (entry) =>
              entry.serial !== loaded.serial && (
                <Verbs
                  busy={busy === entry.serial}
                  onCompare={() => void then(entry.serial, (edits) => setCompared({ serial: entry.serial, edits }))}
                  onRollback={isWritable ? () => void then(entry.serial, onRollback) : undefined}
                />
              ),
          },
        ]}
      />
      {compared && (
        <section aria-label={w.compare}>
          <h2>{`${loaded.serial} → ${compared.serial}`}</h2>
          <Diff changes={shownChanges(changesOf(loaded.sets, compared.edits))} />
        </section>
      )}
    </>
  );
}

function Verbs({
  busy,
  onCompare,
  onRollback,
}: {
  readonly busy: boolean;
  readonly onCompare: () => void;
  readonly onRollback: (() => void) | undefined;
}) {
  const w = words();
  return (
    <span class="actions">
      <Button small kind="quiet" busy={busy} onClick={onCompare}>
        {w.compare}
      </Button>
      {onRollback && (
        <Button small kind="quiet" onClick={onRollback}>
          {w.rollback}
        </Button>
      )}
    </span>
  );
}
