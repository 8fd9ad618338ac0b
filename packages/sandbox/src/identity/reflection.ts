/**
 * The certificate library builds on decorators that ask for the metadata API of an old proposal. These four functions
 * are all that it calls; with them no polyfill package is needed. Import this file before it.
 */
type Target = object;
type Key = string | symbol;

const store = new WeakMap<Target, Map<string, unknown>>();
const slot = (key: unknown, property?: Key): string => `${String(property ?? '')}\u0000${String(key)}`;

function own(key: unknown, target: Target, property?: Key): unknown {
  return store.get(target)?.get(slot(key, property));
}

function define(key: unknown, value: unknown, target: Target, property?: Key): void {
  const known = store.get(target) ?? new Map<string, unknown>();
  known.set(slot(key, property), value);
  store.set(target, known);
}

function inherited(key: unknown, target: Target, property?: Key): unknown {
  for (let at: Target | null = target; at !== null; at = Object.getPrototypeOf(at) as Target | null) {
    if (store.get(at)?.has(slot(key, property))) return own(key, at, property);
  }
  return undefined;
}

if (!('getMetadata' in Reflect)) {
  Object.assign(Reflect, {
    defineMetadata: define,
    getOwnMetadata: own,
    getMetadata: inherited,
    metadata: (key: unknown, value: unknown) => (target: Target, property?: Key) =>
      define(key, value, target, property),
  });
}
