import { readConfig } from '../../packages/server/src/config.ts';
import { Authenticator } from '../../packages/server/src/http/authenticate.ts';
import { createLogger } from '../../packages/server/src/logger.ts';
import { openParts } from '../../packages/server/src/parts.ts';

/** Microseconds for each warm authentication: parsing, keyed hash, look-up in memory, IP whitelist. */
export async function measureAuthentication(folder: string, authorization: string, rounds = 200_000): Promise<number> {
  const config = readConfig({ NAMEHOLD_DATA_DIR: folder, NAMEHOLD_LOG_LEVEL: 'silent' });
  const parts = await openParts(config, createLogger('silent'));
  try {
    const authenticator = new Authenticator(parts.ctx);
    for (let i = 0; i < 5_000; i++) await authenticator.identify(authorization, '127.0.0.1');
    const began = performance.now();
    for (let i = 0; i < rounds; i++) {
      if (!(await authenticator.identify(authorization, '127.0.0.1'))) throw new Error('the key was refused');
    }
    return ((performance.now() - began) * 1000) / rounds;
  } finally {
    await parts.close();
  }
}
