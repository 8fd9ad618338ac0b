type Libxml2 = typeof import('libxml2-wasm');

let loaded: Libxml2 | undefined;

/**
 * Loaded before the first frame is read, not at program start: it takes about 60 ms of one core, while most programs still wait for the
 * database.
 */
export async function loadLibxml2(): Promise<Libxml2> {
  loaded ??= await import('libxml2-wasm');
  return loaded;
}

export function libxml2(): Libxml2 {
  if (!loaded) throw new Error('a document that needs libxml2 was read before loadLibxml2()');
  return loaded;
}
