import { readFileSync } from 'node:fs';
import { connectRegistry } from '../../packages/server/src/core/registries/connect.ts';
import { sandboxProfile } from '../../packages/server/src/registries/profiles/sandbox.ts';
import type { TestService } from '../support/service.ts';

/** A second registry of the operator: our account at the sandbox, through the given port. It takes over the TLDs. */
export async function connectSecond(t: TestService, id: string, tlds: readonly string[], port: number): Promise<void> {
  const { state } = t.service.sandbox!;
  const account = state.accounts[0]!;
  await connectRegistry(t.ctx, {
    id,
    profile: {
      ...sandboxProfile,
      id,
      limits: { ...sandboxProfile.limits, sessions: 4 },
      timeouts: { ...sandboxProfile.timeouts, transformMs: 1_500, queryMs: 1_500 },
    },
    host: '127.0.0.1',
    port,
    serverName: 'localhost',
    clientId: account.client_id,
    password: account.password,
    caPem: readFileSync(state.ca_file, 'utf8'),
    certificatePem: readFileSync(account.cert_file, 'utf8'),
    keyPem: readFileSync(account.key_file, 'utf8'),
    tlds,
    confirmsTlds: true,
  });
  await t.service.parts.registries.reload(id);
}
