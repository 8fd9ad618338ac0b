// @peculiar/x509 requires a metadata polyfill when it is loaded; this part of one is sufficient.
type Target = object;
const known = new WeakMap<Target, Map<unknown, unknown>>();

function own(target: Target): Map<unknown, unknown> {
  const found = known.get(target) ?? new Map<unknown, unknown>();
  known.set(target, found);
  return found;
}

function find(key: unknown, target: Target | null): unknown {
  for (let at = target; at !== null; at = Object.getPrototypeOf(at)) {
    const found = known.get(at);
    if (found?.has(key)) return found.get(key);
  }
  return undefined;
}

const metadata = {
  defineMetadata: (key: unknown, value: unknown, target: Target) => void own(target).set(key, value),
  getOwnMetadata: (key: unknown, target: Target) => known.get(target)?.get(key),
  getMetadata: find,
  hasOwnMetadata: (key: unknown, target: Target) => known.get(target)?.has(key) ?? false,
  hasMetadata: (key: unknown, target: Target) => find(key, target) !== undefined,
  metadata: (key: unknown, value: unknown) => (target: Target) => void own(target).set(key, value),
};

for (const [name, call] of Object.entries(metadata)) {
  if (!(name in Reflect)) Object.defineProperty(Reflect, name, { value: call, configurable: true, writable: true });
}
