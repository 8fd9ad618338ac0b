import { renameSync, writeFileSync } from 'node:fs';

const ownerOnly = 0o600;

/** Written to a second file and renamed: a reader sees the old file or the new one, never a part. Readable by the owner only. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: ownerOnly });
  renameSync(draft, path);
}
