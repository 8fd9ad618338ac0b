import { readFileSync } from 'node:fs';
import { createEppPool } from '@namehold/epp';
import type { SandboxState } from '../../packages/server/src/embedded/sandbox-process.ts';
import { sandboxProfile } from '../../packages/server/src/registries/profiles/sandbox.ts';
import { type Measured, measure } from './rate.ts';

const inFlight = 50;

/** The rate of the sandbox registry itself: creates through our EPP client, as the other registrar, without journal or money. */
export async function measureRegistry(state: SandboxState, count: number): Promise<Measured> {
  const account = state.accounts[1]!;
  let number = 0;
  const pool = createEppPool({
    endpoint: {
      host: state.host,
      port: state.port,
      servername: 'localhost',
      ca: readFileSync(state.ca_file, 'utf8'),
      cert: readFileSync(account.cert_file, 'utf8'),
      key: readFileSync(account.key_file, 'utf8'),
    },
    credentials: { clID: account.client_id, pw: account.password },
    profile: sandboxProfile,
    newClTRID: () => `BENCH-${process.pid}-${number++}`,
  });
  const create = async (name: string) => {
    const answer = await pool.send({
      object: 'domain',
      verb: 'create',
      name,
      period: { value: 1, unit: 'y' },
      ns: { model: 'objects', hosts: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'] },
      authInfo: { pw: '' },
    });
    if (answer.kind !== 'done') throw new Error(`${name}: ${JSON.stringify(answer)}`);
  };
  await measure(100, inFlight, (index) => create(`other-warm-${index}.com`));
  const measured = await measure(count, inFlight, (index) => create(`other-${index}.com`));
  await pool.close();
  return measured;
}
