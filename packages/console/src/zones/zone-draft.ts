import { useMemo, useRef } from 'preact/hooks';
import { useDraft } from '../data/draft.ts';
import { changesOf } from './changes.ts';
import { checkDraft } from './check.ts';
import {
  addRecord,
  type Edits,
  indexed,
  moveRow,
  put,
  type RRsetText,
  removeRow,
  restoreRow,
  setText,
  setTtl,
} from './draft.ts';
import type { RowActions } from './grid.tsx';
import type { LoadedZone } from './load.ts';
import type { PastedRecord } from './paste.ts';

interface StoredZoneDraft {
  /** The serial of the zone that the edits are based on. */
  readonly serial: number;
  readonly edits: Edits;
}

const stepsBack = 100;

/** The draft of a zone: stored, checked like on the server, with undo. */
export function useZoneDraft({ domainId, serial, sets, origin }: LoadedZone) {
  const untouched = useMemo(() => ({ serial, edits: {} }), [serial]);
  const draft = useDraft<StoredZoneDraft>(`zones/${domainId}`, untouched);
  const { edits } = draft.value;
  const past = useRef<Edits[]>([]);
  const base = useMemo(() => indexed(sets), [sets]);
  const checkResult = useMemo(() => checkDraft(sets, edits, origin), [sets, edits, origin]);
  const changes = useMemo(() => changesOf(sets, edits), [sets, edits]);
  const set = (change: (before: Edits) => Edits) => {
    past.current = [...past.current.slice(1 - stepsBack), draft.now().edits];
    draft.set((before) => ({
      serial: changesOf(sets, before.edits).length > 0 ? before.serial : serial,
      edits: change(before.edits),
    }));
  };
  const undo = () => {
    const before = past.current.pop();
    if (before) draft.put({ edits: before });
  };
  const acts: RowActions = {
    setText: (row, text) => set((now) => setText(base, now, row, text)),
    setTtl: (row, ttl) => set((now) => setTtl(base, now, row.set, ttl)),
    move: (row, to) => set((now) => moveRow(base, now, row, to)),
    remove: (row) => set((now) => removeRow(base, now, row)),
    restore: (row) => set((now) => restoreRow(base, now, row)),
    duplicate: (row) => set((now) => put(base, now, { ...row.set, records: [...row.set.records, `${row.text} `] })),
    undo,
  };
  return {
    edits,
    base,
    checkResult,
    changes,
    acts,
    set,
    undo,
    canUndo: past.current.length > 0,
    /** A change based on another serial is a new request, after a merge or an undo. */
    orderKey: `${draft.idempotencyKey}-${serial}`,
    /** The zone changed after editing began. */
    isOld: draft.isReady && changes.length > 0 && draft.value.serial !== serial,
    madeOn: draft.value.serial,
    begin: (on: number, next: Edits) => draft.set({ serial: on, edits: next }),
    clear() {
      past.current = [];
      draft.clear();
    },
    take: (records: readonly PastedRecord[], replaces: boolean) =>
      set((now) => withPasted(base, replaces ? withoutOwn(sets) : now, records)),
    setAsText: (next: Edits) => set(() => normal(base, next)),
  };
}

export type ZoneDraft = ReturnType<typeof useZoneDraft>;

/** Pasted records without managed ones. */
function withPasted(base: ReadonlyMap<string, RRsetText>, edits: Edits, records: readonly PastedRecord[]): Edits {
  let next = edits;
  for (const record of records)
    if (base.get(`${record.name} ${record.type}`)?.managed_by === undefined) next = addRecord(base, next, record);
  return next;
}

/** Deletes all own records. The nameservers of the zone stay, as on the server. */
function withoutOwn(sets: readonly RRsetText[]): Edits {
  const own = sets.filter((each) => each.managed_by === undefined && each.type !== 'SOA' && each.type !== 'NS');
  return Object.fromEntries(own.map((each) => [`${each.name} ${each.type}`, { ...each, records: [] }]));
}

/** Removes edits that equal the original. */
function normal(base: ReadonlyMap<string, RRsetText>, edits: Edits): Edits {
  let next: Edits = {};
  for (const each of Object.values(edits)) next = put(base, next, each);
  return next;
}
