import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MasterKeys, masterKeyBytes } from '@namehold/base';
import { isWeakKey } from '../config/weaknesses.ts';
import { type Config, SettingError } from '../config.ts';
import type { AppContext } from '../core/app-context.ts';
import { type Reencrypted, reencryptAll } from '../core/vault/rotate.ts';
import { DataFolder } from './data-folder.ts';

/** How long keys from a file are cached. */
const rereadMs = 1_000;
const commandTimeoutMs = 30_000;
const maxPasses = 10;

/** The source of the master key: a setting, a command, or the file in the data folder, which is read again at run time. */
export function masterKeySource(config: Config): () => MasterKeys {
  if (config.masterKey) {
    const keys = { current: config.masterKey, former: config.masterKeyFormer ? [config.masterKeyFormer] : [] };
    return () => keys;
  }
  if (config.masterKeyCommand) {
    const keys = keysFromCommand(config.masterKeyCommand);
    // A weak former key is allowed, because that may be the reason for the rotation.
    if (config.mode === 'production' && isWeakKey(keys.current))
      throw new SettingError(
        'NAMEHOLD_MASTER_KEY_COMMAND prints a key that is not random: create one with openssl rand -hex 32',
      );
    return () => keys;
  }
  const folder = new DataFolder(config.dataDir);
  let keys = folder.masterKeys();
  let readAt = performance.now();
  return () => {
    if (performance.now() - readAt >= rereadMs) {
      keys = folder.masterKeys();
      readAt = performance.now();
    }
    return keys;
  };
}

function keysFromCommand(command: string): MasterKeys {
  let printed: string;
  try {
    printed = execFileSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      timeout: commandTimeoutMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    // The output may contain the key, so only the exit status is reported.
    const { status, signal } = error as { status?: number | null; signal?: string | null };
    throw new SettingError(`NAMEHOLD_MASTER_KEY_COMMAND failed (${status ?? signal ?? 'it could not be started'})`);
  }
  const lines = printed.trim().split(/\s+/);
  if (!lines.every((line) => /^[0-9a-f]{64}$/i.test(line)))
    throw new SettingError('NAMEHOLD_MASTER_KEY_COMMAND must print 64 hexadecimal digits a line');
  const [current, ...former] = lines.map((line) => Buffer.from(line, 'hex'));
  return { current: current!, former };
}

/**
 * Rotates the master key at run time. With the key in the data folder this does everything; with a configured key, the processes must
 * already have both keys.
 */
export async function rotateMasterKey(
  config: Config,
  withContext: <T>(work: (ctx: AppContext) => Promise<T>) => Promise<T>,
): Promise<Reencrypted> {
  const isOwn = !config.masterKey && !config.masterKeyCommand;
  const folder = new DataFolder(config.dataDir);
  if (isOwn && folder.masterKeys().former.length === 0) {
    folder.writeMasterKeys({ current: randomBytes(masterKeyBytes), former: [folder.masterKeys().current] });
  }
  if (!isOwn && masterKeySource(config)().former.length === 0)
    throw new SettingError(
      'start every process with the new key as NAMEHOLD_MASTER_KEY and the present one as NAMEHOLD_MASTER_KEY_FORMER (or as the two lines of NAMEHOLD_MASTER_KEY_COMMAND) first, then run this',
    );
  // From now on every process that reads the file encrypts with the new key.
  if (isOwn) await sleep(3 * rereadMs);
  const done = await withContext(async (ctx) => {
    let resealed = 0;
    for (let pass = 1; pass <= maxPasses; pass++) {
      const last = await reencryptAll(ctx);
      resealed += last.resealed;
      if (last.resealed === 0) return { resealed, kept: last.kept };
    }
    throw new Error('a process still encrypts with the former key; run this again when every process has the new one');
  });
  if (isOwn) folder.writeMasterKeys({ current: folder.masterKeys().current, former: [] });
  return done;
}
