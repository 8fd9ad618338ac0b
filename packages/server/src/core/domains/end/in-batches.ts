export const namesPerRun = 500;
/** In one round; the next one goes on. */
const batchesPerRun = 20;
/** Names of one registry that are asked about side by side. */
const lanes = 4;

/**
 * One batch after another, so that a round catches up with whatever came due at once; what is still due after its turn is left for the next
 * round. Where nothing may come of a turn (a lock, a registry's no) those that had theirs are left out of what is read, so that they keep no other waiting.
 */
export async function inBatches<T extends { readonly id: string }>(
  read: (seen: readonly string[]) => Promise<readonly T[]>,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const seen = new Set<string>();
  for (let batch = 0; batch < batchesPerRun; batch += 1) {
    const due = await read([...seen]);
    const fresh = due.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    await atOnce(fresh, work);
    if (fresh.length === 0 || due.length < namesPerRun) return;
  }
}

/** A few side by side: a slow answer holds up a lane, not the round. */
async function atOnce<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
