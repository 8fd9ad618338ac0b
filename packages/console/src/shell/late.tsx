import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { inSlot, type Slots } from './slots.ts';

/** A part that is loaded when it is first shown; `load` is always the same function. */
export function Late({ load }: { readonly load: () => Promise<{ default: ComponentType }> }) {
  const [Loaded, setLoaded] = useState<ComponentType>();
  useEffect(() => {
    // A part that cannot be loaded leaves its place empty; the page goes on.
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
        <Late key={n} load={load} />
      ))}
    </>
  );
}
