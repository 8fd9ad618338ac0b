import { readFileSync } from 'node:fs';
import { systemIds } from '@namehold/base';
import { createEppPool } from '@namehold/epp';
import type { Registry, RegistryFee, Reply } from '../../packages/server/src/core/ports/registry.ts';
import { eppRegistry } from '../../packages/server/src/registries/epp/driver.ts';
import { sandboxProfile } from '../../packages/server/src/registries/profiles/sandbox.ts';
import { attemptAfresh } from './attempt.ts';
import type { TestService } from './service.ts';

/** The address and login of the other registrar's account, as the service prints them at its first start. */
interface OtherRegistrarAccount {
  readonly host: string;
  readonly port: number;
  readonly ca_file: string;
  readonly client_id: string;
  readonly password: string;
  readonly cert_file: string;
  readonly key_file: string;
}

export interface OtherRegistrar {
  /** Acts of the other registrar. None of them is in our journal. */
  readonly registry: Registry;
  /** Registers a domain for the other registrar, unlocked and with this auth code; under review it has none yet. */
  hold(name: string, authCode: string, fee?: RegistryFee): Promise<void>;
  close(): Promise<void>;
}

const context = { priority: 'interactive' } as const;
const nameservers = ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'].map((hostname) => ({ hostname, addresses: [] }));

/** Returns the result; a test whose other registrar cannot act fails here. */
export function done<T>(reply: Reply<T>): T {
  if (reply.kind !== 'done') throw new Error(`the other registrar could not act: ${JSON.stringify(reply)}`);
  return reply.data;
}

/** The second registrar account of the sandbox registry. */
export function openOtherRegistrar(account: OtherRegistrarAccount): OtherRegistrar {
  const pool = createEppPool({
    endpoint: {
      host: account.host,
      port: account.port,
      servername: 'localhost',
      ca: readFileSync(account.ca_file),
      cert: readFileSync(account.cert_file),
      key: readFileSync(account.key_file),
    },
    credentials: { clID: account.client_id, pw: account.password },
    profile: sandboxProfile,
  });
  const registry = eppRegistry({
    id: 'rival',
    clientId: account.client_id,
    profile: sandboxProfile,
    pool,
    chance: systemIds.text,
  });
  return { registry, hold: (name, authCode, fee) => hold(registry, name, authCode, fee), close: () => pool.close() };
}

async function hold(registry: Registry, name: string, authCode: string, fee?: RegistryFee): Promise<void> {
  const handle = 'RIVALHOLDER';
  if (done(await registry.contactInfo(handle)) === null) await makeRegistrant(registry, handle);
  // The control API omits contacts if the registry takes none.
  const contacts = { admin: handle, tech: handle, billing: handle };
  const declarant = name.endsWith('.asia') ? { declarant: handle } : {};
  const bare = { name, years: 1, registrant: handle, contacts, nameservers, extra: {} };
  const order = { ...bare, ...declarant, ...(fee ? { fee } : {}) };
  const made = await registry.create(order, context);
  done(made);
  if (made.kind === 'done' && made.pending) return;
  done(await registry.update(name, { authCode }, context));
}

async function makeRegistrant(registry: Registry, handle: string): Promise<void> {
  const made = await registry.createContact(
    {
      handle,
      name: 'Registrant at the other registrar',
      organisation: null,
      street: ['Elsewhere 1'],
      city: 'Jakarta',
      state: null,
      postalCode: '10110',
      countryCode: 'ID',
      voice: '+62.215551234',
      fax: null,
      email: 'registrant@other.example',
      extra: {
        us_purpose: 'P1',
        us_category: 'C11',
        asia_country: 'ID',
        asia_entity_type: 'naturalPerson',
        asia_identification_type: 'passport',
        asia_identification_number: 'A1',
      },
      isHidden: false,
    },
    context,
  );
  done(made);
}

/** Prepares a transfer in: a domain at the other registrar, and its approval after the order. */
export async function comesBy(
  t: Pick<TestService, 'service' | 'ctx'>,
  name: string,
  order: (authCode: string) => Promise<{ readonly domain_id: string; readonly operation_id: string }>,
): Promise<string> {
  const otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  try {
    const authCode = 'a-long-auth-code-4711';
    await otherRegistrar.hold(name, authCode);
    const { domain_id, operation_id } = await order(authCode);
    done(await otherRegistrar.registry.approveTransfer(name, context));
    await attemptAfresh(t.ctx, operation_id);
    return domain_id;
  } finally {
    await otherRegistrar.close();
  }
}
