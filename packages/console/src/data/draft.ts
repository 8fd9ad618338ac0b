import { useEffect, useRef, useState } from 'preact/hooks';
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
      const request = act(database.transaction(storeName, mode).objectStore(storeName));
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
  /** A function is given what is kept now: answers that arrive side by side lose nothing of each other. */
  set(value: T | ((before: T) => T)): void;
  /** Sent or thrown away: the next one is another order. */
  clear(): void;
  /** The same text as another order, after the service said that this key had other content. */
  renew(): void;
}

const writeAfterMs = 200;

export function useDraft<T>(object: string, initial: T): Draft<T> {
  const fresh = (): Kept<T> => ({ value: initial, idempotencyKey: crypto.randomUUID() });
  const [kept, setKept] = useState<Kept<T>>(fresh);
  const [isReady, setReady] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const key = keyOf(object);
  const timer = useRef<number | undefined>(undefined);
  /** Newer than what was drawn: whoever typed while something was sent has typed it. */
  const latest = useRef(kept);
  const take = (next: Kept<T>) => {
    latest.current = next;
    setKept(next);
  };
  useEffect(() => {
    let isGone = false;
    void within<Kept<T> | undefined>('readonly', (store) => store.get(key)).then((found) => {
      if (isGone) return;
      if (found) {
        take(found);
        setTouched(true);
      }
      setReady(true);
    });
    return () => {
      isGone = true;
    };
  }, [key]);
  const keep = (next: Kept<T>) => {
    take(next);
    setTouched(true);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void within('readwrite', (store) => store.put(next, key)), writeAfterMs);
  };
  return {
    value: kept.value,
    isTouched,
    isReady,
    idempotencyKey: kept.idempotencyKey,
    set: (value) => keep({ ...latest.current, value: value instanceof Function ? value(latest.current.value) : value }),
    renew: () => keep({ ...latest.current, idempotencyKey: crypto.randomUUID() }),
    clear() {
      clearTimeout(timer.current);
      take(fresh());
      setTouched(false);
      void within('readwrite', (store) => store.delete(key));
    },
  };
}
