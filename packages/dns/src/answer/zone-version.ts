let version = 1;

/** Increases with every change of any zone in this thread. Data of an older version may be out of date. */
export const zoneVersion = () => version;

export function zonesChanged(): void {
  version++;
}
