import { renameSync, writeFileSync } from 'node:fs';

const ownerOnly = 0o600;

/** Written aside and renamed: a reader sees the old file or the new one, never half of it. Nobody else can read it. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: ownerOnly });
  renameSync(draft, path);
}
