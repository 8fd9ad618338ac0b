import { useState } from 'preact/hooks';
import { useNames } from '../activity/entry.tsx';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Diff } from '../components/diff.tsx';
import { Empty } from '../components/empty.tsx';
import { Moment } from '../components/moment.tsx';
import { Table } from '../components/table.tsx';
import { toastError } from '../components/toast.tsx';
import { useResource } from '../data/resource.ts';
import { changesOf, editsBetween } from './changes.ts';
import type { Edits } from './draft.ts';
import { type LoadedZone, loadZoneAt } from './load.ts';
import { messages } from './messages.ts';
import { shownChanges } from './review.tsx';

type Entry = Schema<'ZoneHistoryEntry'>;

/** A key by its label; a key that is gone, or that the reader may not see, by the end of its id. */
export function actorText(
  { actor }: Entry,
  t: ReturnType<typeof messages>,
  labelOf: (id: string) => string | undefined,
) {
  if (actor.kind === 'person') return actor.name ?? actor.id ?? '';
  return actor.kind === 'key' ? t.key(labelOf(actor.id ?? '') ?? `…${(actor.id ?? '').slice(-4)}`) : t.service;
}

/** Loads the edits that lead to an earlier version of the zone. */
function useEditsFrom(loaded: LoadedZone) {
  const [busy, setBusy] = useState<number>();
  const loadEdits = async (serial: number, act: (edits: Edits) => void) => {
    setBusy(serial);
    try {
      act(editsBetween(loaded.sets, await loadZoneAt(loaded.domainId, loaded.origin, serial)));
    } catch (cause) {
      toastError(cause);
    } finally {
      setBusy(undefined);
    }
  };
  return { busy, loadEdits };
}

/** The change history. A rollback is a draft that is reviewed first. */
export function History({
  loaded,
  onRollback,
  isWritable,
}: {
  readonly loaded: LoadedZone;
  readonly onRollback: (edits: Edits) => void;
  readonly isWritable: boolean;
}) {
  const t = messages();
  const list = useResource('/domains/{domain_id}/zone/history', {
    path: { domain_id: loaded.domainId },
    query: { limit: 50 },
  });
  const labelOf = useNames();
  const [compared, setCompared] = useState<{ serial: number; edits: Edits }>();
  const { busy, loadEdits } = useEditsFrom(loaded);
  return (
    <>
      <Table<Entry>
        label={t.history}
        rows={list.data}
        error={list.error}
        onRetry={list.refetch}
        keyOf={(entry) => String(entry.serial)}
        empty={<Empty title={t.noZone} />}
        columns={[
          { key: 'serial', title: t.serial, isTitle: true, cell: (entry) => entry.serial },
          { key: 'when', title: t.when, cell: (entry) => <Moment at={entry.changed_at} withTime /> },
          { key: 'who', title: t.who, cell: (entry) => actorText(entry, t, labelOf) },
          { key: 'kind', title: t.changeKind, cell: (entry) => t.kinds[entry.kind] },
          { key: 'comment', title: t.comment, cell: (entry) => entry.comment ?? <span class="faint">–</span> },
          { key: 'counts', title: t.changes, cell: (entry) => t.counts(entry.added_count, entry.deleted_count) },
          {
            key: 'acts',
            title: t.rowActions,
            cell: (entry) =>
              entry.serial !== loaded.serial && (
                <Verbs
                  busy={busy === entry.serial}
                  onCompare={() =>
                    void loadEdits(entry.serial, (edits) => setCompared({ serial: entry.serial, edits }))
                  }
                  onRollback={isWritable ? () => void loadEdits(entry.serial, onRollback) : undefined}
                />
              ),
          },
        ]}
      />
      {compared && (
        <section aria-label={t.compare}>
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
  const t = messages();
  return (
    <span class="actions">
      <Button small kind="quiet" busy={busy} onClick={onCompare}>
        {t.compare}
      </Button>
      {onRollback && (
        <Button small kind="quiet" onClick={onRollback}>
          {t.rollback}
        </Button>
      )}
    </span>
  );
}
