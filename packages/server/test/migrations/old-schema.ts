import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemaFolder } from '../../src/parts.ts';

/** A schema folder with only the migrations from before the baseline, as releases before 0.2.0 had it. The caller removes it. */
export function oldSchema(): string {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-old-schema-'));
  cpSync(join(schemaFolder, 'bridge'), join(folder, 'migrations'), { recursive: true });
  return folder;
}
