import { useMemo, useRef, useState } from 'preact/hooks';
import { who } from '../session/who.ts';

/** What was typed and not yet sent, by person, account and object. Survives a reload, an ended session and a dead server. */
interface Kept<T> {
  readonly value: T;
  /** One order, however often it is sent. */
  readonly idempotencyKey: string;
}

const storeName = 'drafts';
let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('namehold', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function within<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const database = await open();
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = act(transaction.objectStore(storeName));
      // Or it would wait for this page to hear of the write first, and be lost with a page that is left in that moment.
      if (mode === 'readwrite') transaction.commit();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    // A browser that keeps nothing (a private window) still has what is typed on the page.
    return undefined;
  }
}

const keyOf = (object: string) => `${who.value?.person.person_id}/${who.value?.account.reseller_id}/${object}`;

/** At sign-out nothing stays behind. */
export const forgetDrafts = (): Promise<unknown> => within('readwrite', (store) => store.clear());

export interface Draft<T> {
  readonly value: T;
  /** Whether something was typed that differs from what it began with. */
  readonly isTouched: boolean;
  /** What was typed before has been looked up. */
  readonly isReady: boolean;
  readonly idempotencyKey: string;
  /** As it is this moment: newer than what was drawn, for whoever was away sending something. */
  now(): T;
  /** A function is given what is kept now: answers that arrive side by side lose nothing of each other. */
  set(value: T | ((before: T) => T)): void;
  /** These fields, and nothing of the others. */
  put(change: Partial<T>): void;
  /** Sent or thrown away: the next one is another order. */
  clear(): void;
  /** This was sent; what was typed since stays, as another order. */
  settle(sent: T): void;
  /** The same text as another order, after the service said that this key had other content. */
  renew(): void;
}

/** One draft while its form is open. Nothing is written before what was kept is read, and everything after it at once. */
class Held<T> {
  isReady = false;
  private kept: Kept<T> | undefined;
  private freshKey = crypto.randomUUID();
  /** What was done before it was read; done again to what is found. */
  private early: ((before: Kept<T>) => Kept<T>)[] = [];
  private isForgotten = false;

  private readonly key: string;
  private readonly initial: () => T;
  private readonly redraw: () => void;

  constructor(key: string, initial: () => T, redraw: () => void) {
    this.key = key;
    this.initial = initial;
    this.redraw = redraw;
    void within<Kept<T> | undefined>('readonly', (store) => store.get(key)).then((found) => this.read(found));
  }

  get current(): Kept<T> {
    return this.kept ?? { value: this.initial(), idempotencyKey: this.freshKey };
  }
  get isTouched(): boolean {
    return this.kept !== undefined;
  }

  private read(found: Kept<T> | undefined): void {
    this.isReady = true;
    if (found && !this.isForgotten) this.kept = this.early.reduce((kept, change) => change(kept), found);
    if (this.early.length > 0) this.write();
    this.early = [];
    this.redraw();
  }

  private write(): void {
    const { key, kept } = this;
    if (kept) void within('readwrite', (store) => store.put(kept, key));
    else void within('readwrite', (store) => store.delete(key));
  }

  change(change: (before: Kept<T>) => Kept<T>): void {
    this.kept = change(this.current);
    if (this.isReady) this.write();
    else this.early.push(change);
    this.redraw();
  }

  clear(): void {
    this.kept = undefined;
    this.freshKey = crypto.randomUUID();
    this.isForgotten = true;
    this.early = [];
    this.write();
    this.redraw();
  }
}

/** `initial` is what stands there while nothing is typed, as it is now: a form follows what it shows. */
export function useDraft<T>(object: string, initial: T): Draft<T> {
  const [, count] = useState(0);
  const latest = useRef(initial);
  latest.current = initial;
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
  const { value, idempotencyKey } = held.current;
  const set: Draft<T>['set'] = (next) =>
    held.change((before) => ({ ...before, value: next instanceof Function ? next(before.value) : next }));
  const renew = () => held.change((before) => ({ ...before, idempotencyKey: crypto.randomUUID() }));
  return {
    value,
    isTouched: held.isTouched,
    isReady: held.isReady,
    idempotencyKey,
    now: () => held.current.value,
    set,
    put: (change) => set((before) => ({ ...before, ...change })),
    renew,
    clear: () => held.clear(),
    settle: (sent) => (held.current.value === sent ? held.clear() : renew()),
  };
}
