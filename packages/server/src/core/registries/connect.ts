import { X509Certificate } from 'node:crypto';
import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { type RegistrySecrets, saveRegistry, sealContext } from './registry.sql.ts';

export interface NewRegistry {
  readonly id: string;
  /** A registry profile: namespaces, limits, time-outs, rules by TLD. */
  readonly profile: { readonly limits: { readonly sessions: number } } & Record<string, unknown>;
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  readonly password: string;
  readonly serverName?: string | undefined;
  readonly caPem?: string | undefined;
  readonly certificatePem?: string | undefined;
  readonly keyPem?: string | undefined;
  readonly tlds: readonly string[];
}

/** Connects a registry, or changes how it is connected. Password and key are sealed. */
export async function connectRegistry(house: House, registry: NewRegistry): Promise<void> {
  const secrets: RegistrySecrets = { password: registry.password, key_pem: registry.keyPem ?? null };
  await house.db.transaction(everyTenant, (tx) =>
    saveRegistry(
      tx,
      {
        id: registry.id,
        profile: registry.profile,
        host: registry.host,
        port: registry.port,
        client_id: registry.clientId,
        secrets_sealed: house.vault.seal(JSON.stringify(secrets), sealContext(registry.id)),
        server_name: registry.serverName ?? null,
        ca_pem: registry.caPem ?? null,
        certificate_pem: registry.certificatePem ?? null,
        certificate_expires_at: registry.certificatePem
          ? new X509Certificate(registry.certificatePem).validToDate
          : null,
        created_at: house.wall.now(),
      },
      registry.tlds,
      registry.profile.limits.sessions,
    ),
  );
}
