type Libxml2 = typeof import('libxml2-wasm');

let loaded: Libxml2 | undefined;

/**
 * Before the first frame is read, and not when a program starts: it is some 60 ms of one core, and most programs wait for their database and their
 * doors before anybody sends them a frame.
 */
export async function loadLibxml2(): Promise<Libxml2> {
  loaded ??= await import('libxml2-wasm');
  return loaded;
}

export function libxml2(): Libxml2 {
  if (!loaded) throw new Error('a document that is not plain was read before loadLibxml2()');
  return loaded;
}
