import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';

/** Writes `dist/` atomically. A service that starts during the build reads the previous one. */
const folder = fileURLToPath(new URL('.', import.meta.url));
const draft = join(folder, `dist.${process.pid}`);

try {
  await build({
    configFile: join(folder, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: draft, emptyOutDir: true },
  });
  await Promise.all(files(draft).map(compress));
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  renameSync(draft, join(folder, 'dist'));
} catch (error) {
  rmSync(draft, { recursive: true, force: true });
  console.error(`The console could not be built: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function files(of: string): string[] {
  return readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function compress(file: string): Promise<void> {
  const plain = readFileSync(file);
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain, { level: 9 })]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, zipped);
}
