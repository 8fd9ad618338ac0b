import { replaceEqualDeep } from '@tanstack/query-core';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { currentSession } from '../session/current-session.ts';
import { inTransaction } from './draft-store.ts';

/** Unsent input by user, account and object. It survives reloads, expired sessions and server outages. */
interface StoredDraft<T> {
  readonly value: T;
  /** The idempotency key of the request. */
  readonly idempotencyKey: string;
  /** The value before editing, and its version if there is one. */
  readonly base?: T;
  readonly version?: string | undefined;
}

const keyOf = (object: string) =>
  `${currentSession.value?.person.person_id}/${currentSession.value?.account.reseller_id}/${object}`;

/** Runs work in one window of a user at a time; others wait. */
export const withDraftLock = (object: string, work: () => Promise<void>): Promise<void> =>
  navigator.locks.request(keyOf(object), work);

export interface Draft<T> {
  readonly value: T;
  /** Whether the input differs from the initial value. */
  readonly isDirty: boolean;
  /** The stored draft has been read. */
  readonly isReady: boolean;
  readonly idempotencyKey: string;
  /** The version to send as If-Match, so that unseen changes are not overwritten. */
  readonly version: string | undefined;
  /** A change by someone else since editing began: the value before and the current value. */
  readonly others: { readonly base: T; readonly theirs: T } | undefined;
  /** Applies a change on top of the current value, after the user has seen the conflict. */
  rebase(change: (mine: T) => T): void;
  /** The latest value, which can be newer than the rendered one after a wait. */
  now(): T;
  /** Sets the value. A function gets the stored value, which can come from another window; it can run twice. */
  set(value: T | ((before: T) => T)): void;
  /** Changes only the given fields. */
  put(change: Partial<T>): void;
  /** Deletes the draft. The next one gets a new idempotency key. */
  clear(): void;
  /** Deletes what was sent. Input typed since then stays, with a new idempotency key. */
  settle(sent: T): void;
  /** Renews the idempotency key, after the service reported that the key was used with other content. */
  renew(): void;
  /** Reads the stored draft, so that changes of all windows are included. */
  agree(): Promise<void>;
}

/** Merges the fields edited here into the current value. A text is one field. */
export function mergedOver<T>(base: T, theirs: T, mine: T): T {
  if (typeof mine !== 'object' || mine === null) return mine;
  const isTyped = (field: keyof T) => JSON.stringify(mine[field]) !== JSON.stringify(base[field]);
  const typed = (Object.keys(mine) as (keyof T)[]).filter(isTyped).map((field) => [field, mine[field]]);
  return { ...theirs, ...Object.fromEntries(typed) };
}

/** The If-Match option for a change. */
export const ifMatch = ({ version }: Pick<Draft<unknown>, 'version'>): { readonly ifMatch?: string } =>
  version === undefined ? {} : { ifMatch: version };

/** Announces a changed draft to other windows. `isNew`: a window opened the draft; others answer. */
interface DraftMessage {
  readonly key: string;
  readonly isNew?: boolean;
}
const windows = new BroadcastChannel('drafts');
const openDrafts = new Set<SharedDraft<unknown>>();
windows.onmessage = ({ data }: MessageEvent<DraftMessage>) => {
  for (const shared of openDrafts) if (shared.key === data.key) shared.onMessage(data);
};

/**
 * One draft in this window. A single window writes it at once, so that input is saved even if the page closes immediately. With several
 * windows, or before the stored draft is read, each change is applied to the stored draft in one transaction.
 */
class SharedDraft<T> {
  isReady = false;
  private stored: StoredDraft<T> | undefined;
  private nextKey = crypto.randomUUID();
  private hasOthers = false;
  /** Counts transactions that read: only the latest one includes all changes made here. */
  private transactionCount = 0;

  readonly key: string;
  private readonly initial: () => { readonly value: T; readonly version: string | undefined };
  private readonly redraw: () => void;

  constructor(key: string, initial: SharedDraft<T>['initial'], redraw: () => void) {
    this.key = key;
    this.initial = initial;
    this.redraw = redraw;
  }

  /** Registers the draft for messages of other windows; returns a function that ends this. */
  show(): () => void {
    openDrafts.add(this as SharedDraft<unknown>);
    void this.read();
    this.post({ key: this.key, isNew: true });
    return () => openDrafts.delete(this as SharedDraft<unknown>);
  }

  onMessage({ isNew }: DraftMessage): void {
    this.hasOthers = true;
    if (isNew) this.post({ key: this.key });
    else void this.read();
  }

  private post(message: DraftMessage): void {
    windows.postMessage(message);
  }

  get current(): StoredDraft<T> {
    return this.stored ?? this.freshDraft();
  }
  private freshDraft(): StoredDraft<T> {
    const { value, version } = this.initial();
    return { value, base: value, version, idempotencyKey: this.nextKey };
  }
  get isDirty(): boolean {
    return this.stored !== undefined;
  }

  read(): Promise<void> {
    return this.transact('readonly', (found) => found);
  }

  /** Keeps object identity for fields that did not change. */
  private accept(found: StoredDraft<T> | undefined): void {
    // Another window sent or deleted the draft: the next request gets a new key.
    if (this.stored && !found) this.nextKey = crypto.randomUUID();
    this.stored = replaceEqualDeep(this.stored, found);
  }

  private async transact(
    mode: IDBTransactionMode,
    change: (found: StoredDraft<T> | undefined) => StoredDraft<T> | undefined,
  ): Promise<void> {
    this.transactionCount += 1;
    const mine = this.transactionCount;
    let after: StoredDraft<T> | undefined;
    const isKept = await inTransaction(mode, (store, transaction) => {
      const found: IDBRequest<StoredDraft<T> | undefined> = store.get(this.key);
      found.onsuccess = () => {
        after = change(found.result);
        if (mode === 'readonly') return;
        if (after) store.put(after, this.key);
        else store.delete(this.key);
        transaction.commit();
      };
    });
    if (mine === this.transactionCount) {
      if (isKept) this.accept(after);
      this.isReady = true;
      this.redraw();
    }
  }

  async change(change: (before: StoredDraft<T>) => StoredDraft<T> | undefined): Promise<void> {
    const from = (found: StoredDraft<T> | undefined) => change(found ?? this.freshDraft());
    this.stored = from(this.stored);
    this.redraw();
    if (this.isReady && !this.hasOthers) {
      const { key, stored } = this;
      await inTransaction('readwrite', (store, transaction) => {
        if (stored) store.put(stored, key);
        else store.delete(key);
        // Commits at once, because the page can close before the browser would commit.
        transaction.commit();
      });
    } else await this.transact('readwrite', from);
    this.post({ key: this.key });
  }

  clear(): void {
    void this.change(() => undefined);
    this.nextKey = crypto.randomUUID();
  }
}

const windowIdKey = 'window';
/** Identifies this window; survives a reload. */
function windowId(): string {
  const id = sessionStorage.getItem(windowIdKey) ?? crypto.randomUUID();
  sessionStorage.setItem(windowIdKey, id);
  return id;
}

/**
 * A change of an existing resource, private to this window, because a change in another window counts as a conflict.
 * `version` is the version of `initial`.
 */
export const useChangeDraft = <T>(object: string, initial: T, version: string | undefined): Draft<T> =>
  useDraft(`${object}#${windowId()}`, initial, version);

/** A draft shared by all windows of a user. `initial` is the current value, which the form shows while the draft is empty. */
export function useDraft<T>(object: string, initial: T, version?: string): Draft<T> {
  const [, count] = useState(0);
  const now = { value: initial, version };
  const latest = useRef(now);
  latest.current = now;
  const key = keyOf(object);
  const shared = useMemo(
    () =>
      new SharedDraft<T>(
        key,
        () => latest.current,
        () => count((n) => n + 1),
      ),
    [key],
  );
  useLayoutEffect(() => shared.show(), [shared]);
  const { value, idempotencyKey, base, version: seen = version } = shared.current;
  const isOlder = shared.isDirty && seen !== version && base !== undefined;
  // No conflict if the other change equals this input, or while our own change is read again.
  const isBehind = isOlder && JSON.stringify(value) !== JSON.stringify(initial);
  const set: Draft<T>['set'] = (next) =>
    void shared.change((before) => ({ ...before, value: next instanceof Function ? next(before.value) : next }));
  const renew = () => {
    const freshDraft = crypto.randomUUID();
    void shared.change((before) => ({ ...before, idempotencyKey: freshDraft }));
  };
  return {
    value,
    isDirty: shared.isDirty,
    isReady: shared.isReady,
    idempotencyKey,
    version: isOlder && !isBehind ? version : seen,
    others: isBehind ? { base, theirs: initial } : undefined,
    rebase: (change) => {
      const freshDraft = crypto.randomUUID();
      void shared.change((before) => ({
        value: change(before.value),
        base: initial,
        version,
        idempotencyKey: freshDraft,
      }));
    },
    now: () => shared.current.value,
    set,
    put: (change) => set((before) => ({ ...before, ...change })),
    renew,
    clear: () => shared.clear(),
    settle: (sent) => (shared.current.value === sent ? shared.clear() : renew()),
    agree: () => shared.read(),
  };
}
