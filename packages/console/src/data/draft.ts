import { replaceEqualDeep } from '@tanstack/query-core';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { who } from '../session/who.ts';
import { within } from './kept.ts';

/** What was typed and not yet sent, by person, account and object. Survives a reload, an ended session and a dead server. */
interface Kept<T> {
  readonly value: T;
  /** One order, however often it is sent. */
  readonly idempotencyKey: string;
  /** What stood there when the first of it was typed, and the version of that where the service gives one. */
  readonly base?: T;
  readonly version?: string | undefined;
}

const keyOf = (object: string) => `${who.value?.person.person_id}/${who.value?.account.reseller_id}/${object}`;

/** One window of a person after the other: whoever comes second waits, also for one that is closed in the middle. */
export const oneWindow = (object: string, work: () => Promise<void>): Promise<void> =>
  navigator.locks.request(keyOf(object), work);

export interface Draft<T> {
  readonly value: T;
  /** Whether something was typed that differs from what it began with. */
  readonly isTouched: boolean;
  /** What was typed before has been looked up. */
  readonly isReady: boolean;
  readonly idempotencyKey: string;
  /** What is decided upon: sent as If-Match, nothing is overwritten that was not seen. */
  readonly version: string | undefined;
  /** Somebody else changed it since the first of this was typed: what stood there then, and what stands there now. */
  readonly others: { readonly base: T; readonly theirs: T } | undefined;
  /** The change of the others was seen: this is what is wanted now. */
  rebase(change: (mine: T) => T): void;
  /** As it is this moment: newer than what was drawn, for whoever was away sending something. */
  now(): T;
  /** A function is given what is kept now, here or by another window: changes side by side lose nothing of each other. It may be called twice. */
  set(value: T | ((before: T) => T)): void;
  /** These fields, and nothing of the others. */
  put(change: Partial<T>): void;
  /** Sent or thrown away: the next one is another order. */
  clear(): void;
  /** This was sent; what was typed since stays, as another order. */
  settle(sent: T): void;
  /** The same text as another order, after the service said that this key had other content. */
  renew(): void;
  /** What was done here is kept, and what other windows did is here. */
  agree(): Promise<void>;
}

/** Fields that were typed here over those of the others; a text is one field. */
export function mergedOver<T>(base: T, theirs: T, mine: T): T {
  if (typeof mine !== 'object' || mine === null) return mine;
  const isTyped = (field: keyof T) => JSON.stringify(mine[field]) !== JSON.stringify(base[field]);
  const typed = (Object.keys(mine) as (keyof T)[]).filter(isTyped).map((field) => [field, mine[field]]);
  return { ...theirs, ...Object.fromEntries(typed) };
}

/** How a change of it is sent. */
export const ifMatch = ({ version }: Pick<Draft<unknown>, 'version'>): { readonly ifMatch?: string } =>
  version === undefined ? {} : { ifMatch: version };

/** Which draft was changed; `isNew`: a window has just opened it, and the others say that they are there. */
interface Told {
  readonly key: string;
  readonly isNew?: boolean;
}
const windows = new BroadcastChannel('drafts');
const shown = new Set<Held<unknown>>();
windows.onmessage = ({ data }: MessageEvent<Told>) => {
  for (const held of shown) if (held.key === data.key) held.hear(data);
};

/**
 * One draft while its form is open, here and in other windows. Alone, it is written as it stands and at once, so that a page that is left in
 * the next moment loses nothing. With others, or before what was kept is read, each change is made to what is kept, within one transaction.
 */
class Held<T> {
  isReady = false;
  private kept: Kept<T> | undefined;
  private freshKey = crypto.randomUUID();
  private hasOthers = false;
  /** Counts the transactions that read: only the newest has seen everything that was done here. */
  private asked = 0;

  readonly key: string;
  private readonly initial: () => { readonly value: T; readonly version: string | undefined };
  private readonly redraw: () => void;

  constructor(key: string, initial: Held<T>['initial'], redraw: () => void) {
    this.key = key;
    this.initial = initial;
    this.redraw = redraw;
  }

  /** Shown from now on; answers with how to stop. */
  show(): () => void {
    shown.add(this as Held<unknown>);
    void this.read();
    this.tell({ key: this.key, isNew: true });
    return () => shown.delete(this as Held<unknown>);
  }

  hear({ isNew }: Told): void {
    this.hasOthers = true;
    if (isNew) this.tell({ key: this.key });
    else void this.read();
  }

  private tell(told: Told): void {
    windows.postMessage(told);
  }

  get current(): Kept<T> {
    return this.kept ?? this.fresh();
  }
  private fresh(): Kept<T> {
    const { value, version } = this.initial();
    return { value, base: value, version, idempotencyKey: this.freshKey };
  }
  get isTouched(): boolean {
    return this.kept !== undefined;
  }

  read(): Promise<void> {
    return this.ask('readonly', (found) => found);
  }

  /** What is not changed by the other window stays the very same object. */
  private take(found: Kept<T> | undefined): void {
    // Sent or thrown away elsewhere: the next one is another order.
    if (this.kept && !found) this.freshKey = crypto.randomUUID();
    this.kept = replaceEqualDeep(this.kept, found);
  }

  private async ask(
    mode: IDBTransactionMode,
    change: (found: Kept<T> | undefined) => Kept<T> | undefined,
  ): Promise<void> {
    this.asked += 1;
    const mine = this.asked;
    let after: Kept<T> | undefined;
    const isKept = await within(mode, (store, transaction) => {
      const found: IDBRequest<Kept<T> | undefined> = store.get(this.key);
      found.onsuccess = () => {
        after = change(found.result);
        if (mode === 'readonly') return;
        if (after) store.put(after, this.key);
        else store.delete(this.key);
        transaction.commit();
      };
    });
    if (mine === this.asked) {
      if (isKept) this.take(after);
      this.isReady = true;
      this.redraw();
    }
  }

  async change(change: (before: Kept<T>) => Kept<T> | undefined): Promise<void> {
    const from = (found: Kept<T> | undefined) => change(found ?? this.fresh());
    this.kept = from(this.kept);
    this.redraw();
    if (this.isReady && !this.hasOthers) {
      const { key, kept } = this;
      await within('readwrite', (store, transaction) => {
        if (kept) store.put(kept, key);
        else store.delete(key);
        // Or it would wait for this page to hear of the write first, and be lost with a page that is left in that moment.
        transaction.commit();
      });
    } else await this.ask('readwrite', from);
    this.tell({ key: this.key });
  }

  clear(): void {
    void this.change(() => undefined);
    this.freshKey = crypto.randomUUID();
  }
}

const windowName = 'window';
/** Stays through a reload of the window, and is no other window's. */
function ownWindow(): string {
  const known = sessionStorage.getItem(windowName) ?? crypto.randomUUID();
  sessionStorage.setItem(windowName, known);
  return known;
}

/**
 * A change of something that stands at the service, on the version that is shown: it is this window's, as what is decided in another one
 * is a change by somebody else. `version` is that of `initial`.
 */
export const useChangeDraft = <T>(object: string, initial: T, version: string | undefined): Draft<T> =>
  useDraft(`${object}#${ownWindow()}`, initial, version);

/** `initial` is what stands there while nothing is typed, as it is now: a form follows what it shows. The windows of a person share it. */
export function useDraft<T>(object: string, initial: T, version?: string): Draft<T> {
  const [, count] = useState(0);
  const now = { value: initial, version };
  const latest = useRef(now);
  latest.current = now;
  const key = keyOf(object);
  const held = useMemo(
    () =>
      new Held<T>(
        key,
        () => latest.current,
        () => count((n) => n + 1),
      ),
    [key],
  );
  useLayoutEffect(() => held.show(), [held]);
  const { value, idempotencyKey, base, version: seen = version } = held.current;
  const isOlder = held.isTouched && seen !== version && base !== undefined;
  // Where the others made of it what was typed here there is nothing to choose, nor while one's own change is read again.
  const isBehind = isOlder && JSON.stringify(value) !== JSON.stringify(initial);
  const set: Draft<T>['set'] = (next) =>
    void held.change((before) => ({ ...before, value: next instanceof Function ? next(before.value) : next }));
  const renew = () => {
    const fresh = crypto.randomUUID();
    void held.change((before) => ({ ...before, idempotencyKey: fresh }));
  };
  return {
    value,
    isTouched: held.isTouched,
    isReady: held.isReady,
    idempotencyKey,
    version: isOlder && !isBehind ? version : seen,
    others: isBehind ? { base, theirs: initial } : undefined,
    rebase: (change) => {
      const fresh = crypto.randomUUID();
      void held.change((before) => ({ value: change(before.value), base: initial, version, idempotencyKey: fresh }));
    },
    now: () => held.current.value,
    set,
    put: (change) => set((before) => ({ ...before, ...change })),
    renew,
    clear: () => held.clear(),
    settle: (sent) => (held.current.value === sent ? held.clear() : renew()),
    agree: () => held.read(),
  };
}
