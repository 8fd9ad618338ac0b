import { readConfig } from '../../../packages/server/src/config.ts';
import {
  type Difference,
  differenceKey,
  sentenceOf,
} from '../../../packages/server/src/core/reconciliation/difference.ts';
import { reconcile } from '../../../packages/server/src/core/reconciliation/reconcile.ts';
import { openParts } from '../../../packages/server/src/parts.ts';
import type { Installation } from '../../faults/world.ts';

/** `namehold verify` without a process: the product's own reconciliation, as a second oracle. */
export async function readDifferences(installation: Installation): Promise<readonly Difference[]> {
  const parts = await openParts(readConfig({ ...installation.env, NAMEHOLD_DATA_DIR: installation.folder }));
  try {
    const { differences, skipped } = await reconcile(parts.ctx);
    if (skipped.length > 0) throw new Error(`a registry could not be compared: ${JSON.stringify(skipped)}`);
    return differences;
  } finally {
    await parts.close();
  }
}

export const describeDifferences = (differences: readonly Difference[]): string =>
  differences.map((each) => `  ${differenceKey(each)}: ${sentenceOf(each)}`).join('\n');
