import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountIds } from '../../packages/sandbox/src/identity/accounts.ts';
import { makeCertificates } from '../../packages/sandbox/src/identity/certificates.ts';

let made: Promise<string> | undefined;

async function make(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-certificates-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await makeCertificates(folder, accountIds);
  return folder;
}

/** A registry makes missing certificates at its first start. Those of a worker's files are made once. */
export async function bringCertificates(dataFolder: string): Promise<void> {
  made ??= make();
  const folder = join(dataFolder, 'sandbox');
  mkdirSync(folder, { mode: 0o700 });
  cpSync(await made, folder, { recursive: true });
}
