/**
 * Waiting times are counted in classes, four per doubling, from one millisecond to about a quarter of an hour: classes of different
 * hours can be added, percentiles cannot. Values read from them are accurate to about a tenth. The statement that rolls up the journal
 * numbers them the same way.
 */
const perDoubling = 4;
export const highestBucket = 80;

export const classOf = (ms: number): number =>
  Math.min(highestBucket, Math.max(0, Math.ceil(perDoubling * Math.log2(Math.max(ms, 1)))));

const endOf = (number: number): number => 2 ** (number / perDoubling);

/** Count by class. */
export type Histogram = Readonly<Record<string, number>>;

/**
 * The waiting time that this share did not exceed, in whole milliseconds; null without any. Assumes an even distribution within the
 * class.
 */
export function shareWithin(waits: Histogram, share: number): number | null {
  const counts = Object.entries(waits)
    .map(([number, count]) => [Number(number), Number(count)] as const)
    .sort(([one], [other]) => one - other);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const wanted = total * share;
  let passed = 0;
  for (const [number, count] of counts) {
    if (passed + count < wanted) {
      passed += count;
      continue;
    }
    const begin = number === 0 ? 0 : endOf(number - 1);
    return Math.round(begin + (endOf(number) - begin) * ((wanted - passed) / count));
  }
  return Math.round(endOf(counts.at(-1)![0]));
}
