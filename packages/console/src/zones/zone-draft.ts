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
import type { RowActs } from './grid.tsx';
import type { LoadedZone } from './load.ts';
import type { PastedRecord } from './paste.ts';

interface Kept {
  /** The serial that the edits were made on. */
  readonly serial: number;
  readonly edits: Edits;
}

const stepsBack = 100;

/** What is changed and not yet applied: kept over a reload, checked as the server checks, walked back step by step. */
export function useZoneDraft({ domainId, serial, sets, origin }: LoadedZone) {
  const untouched = useMemo(() => ({ serial, edits: {} }), [serial]);
  const draft = useDraft<Kept>(`zones/${domainId}`, untouched);
  const { edits } = draft.value;
  const past = useRef<Edits[]>([]);
  const base = useMemo(() => indexed(sets), [sets]);
  const verdict = useMemo(() => checkDraft(sets, edits, origin), [sets, edits, origin]);
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
  const acts: RowActs = {
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
    verdict,
    changes,
    acts,
    set,
    undo,
    canUndo: past.current.length > 0,
    /** On another serial it is another order: after a merge, and for an undo. */
    orderKey: `${draft.idempotencyKey}-${serial}`,
    /** The zone changed since the first of the edits. */
    isOld: draft.isReady && changes.length > 0 && draft.value.serial !== serial,
    madeOn: draft.value.serial,
    begin: (on: number, next: Edits) => draft.set({ serial: on, edits: next }),
    clear() {
      past.current = [];
      draft.clear();
    },
    take: (records: readonly PastedRecord[], replaces: boolean) =>
      set((now) => taken(base, replaces ? withoutOwn(sets) : now, records)),
    setAsText: (next: Edits) => set(() => normal(base, next)),
  };
}

export type ZoneDraft = ReturnType<typeof useZoneDraft>;

/** Pasted records, but for those that a service keeps. */
function taken(base: ReadonlyMap<string, RRsetText>, edits: Edits, records: readonly PastedRecord[]): Edits {
  let next = edits;
  for (const record of records)
    if (base.get(`${record.name} ${record.type}`)?.managed_by === undefined) next = addRecord(base, next, record);
  return next;
}

/** Everything of the owner's goes; nameservers of the zone itself stay, as the service keeps them too. */
function withoutOwn(sets: readonly RRsetText[]): Edits {
  const own = sets.filter((each) => each.managed_by === undefined && each.type !== 'SOA' && each.type !== 'NS');
  return Object.fromEntries(own.map((each) => [`${each.name} ${each.type}`, { ...each, records: [] }]));
}

/** What is as it was is no edit. */
function normal(base: ReadonlyMap<string, RRsetText>, edits: Edits): Edits {
  let next: Edits = {};
  for (const each of Object.values(edits)) next = put(base, next, each);
  return next;
}
