/** Drafts in IndexedDB, shared by all windows. */
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

/** Runs one transaction. Returns false if the browser stores nothing, such as in a private window. */
export async function inTransaction(
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

export const deleteDrafts = (): Promise<unknown> => inTransaction('readwrite', (store) => store.clear());
