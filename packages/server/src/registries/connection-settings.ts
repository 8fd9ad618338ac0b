import type { AppContext } from '../core/app-context.ts';
import { encryptionContext, type RegistryRow, type RegistrySecrets } from '../core/registries/registry.sql.ts';
import { storedProfile, withOffer } from './read-profile.ts';

/** Where a registry is, as whom we log in there, and how it speaks. */
export function connectionSettings(ctx: Pick<AppContext, 'vault'>, row: RegistryRow) {
  const secrets = JSON.parse(ctx.vault.open(row.secrets_sealed, encryptionContext(row.id))) as RegistrySecrets;
  return {
    endpoint: {
      host: row.host,
      port: row.port,
      ...(row.server_name ? { servername: row.server_name } : {}),
      ...(row.ca_pem ? { ca: row.ca_pem } : {}),
      ...(row.certificate_pem ? { cert: row.certificate_pem } : {}),
      ...(secrets.key_pem ? { key: secrets.key_pem } : {}),
      ...(secrets.key_passphrase ? { passphrase: secrets.key_passphrase } : {}),
      ...(row.pins.length > 0 ? { pins: row.pins } : {}),
      ...(row.source_address ? { localAddress: row.source_address } : {}),
      ...(row.ciphers ? { ciphers: row.ciphers } : {}),
    },
    credentials: { clID: row.client_id, pw: secrets.password, userAgent: { app: 'Namehold' } },
    profile: withOffer(storedProfile(row.profile), row.offers_secure_auth_info ?? false),
    /** Another password was sent to the registry, or was to be; nobody has seen whether it counts. */
    isPasswordUnsettled: secrets.new_password !== undefined,
  };
}
