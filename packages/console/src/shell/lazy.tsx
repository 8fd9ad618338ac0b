import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { inSlot, type Slots } from './slots.ts';

/** Loads a component when it is first shown. `load` must be a stable function. */
export function Lazy({ load }: { readonly load: () => Promise<{ default: ComponentType }> }) {
  const [Loaded, setLoaded] = useState<ComponentType>();
  useEffect(() => {
    // If loading fails, the component stays empty and the page continues.
    load().then(
      (found) => setLoaded(() => found.default),
      () => undefined,
    );
  }, [load]);
  return Loaded ? <Loaded /> : null;
}

export function Slot({ name }: { readonly name: keyof Slots }) {
  return (
    <>
      {inSlot(name).map((load, n) => (
        <Lazy key={n} load={load} />
      ))}
    </>
  );
}
