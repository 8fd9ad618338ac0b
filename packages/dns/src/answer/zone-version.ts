let version = 1;

/** Grows with every change of any zone in this thread: what was made from an older one may no longer be true. */
export const zoneVersion = () => version;

export function zonesChanged(): void {
  version++;
}
