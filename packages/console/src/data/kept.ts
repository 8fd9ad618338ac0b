/** What the browser keeps of what was typed, for all windows of it. */
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

/** One transaction; they take place in the order in which they are begun. False: this browser keeps nothing (a private window). */
export async function within(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore, transaction: IDBTransaction) => void,
): Promise<boolean> {
  try {
    const database = await open();
    return await new Promise<boolean>((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => reject(transaction.error);
      act(transaction.objectStore(storeName), transaction);
    });
  } catch {
    return false;
  }
}

/** At sign-out nothing stays behind. */
export const forgetDrafts = (): Promise<unknown> => within('readwrite', (store) => store.clear());
