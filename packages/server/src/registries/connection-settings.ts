import type { AppContext } from '../core/app-context.ts';
import { encryptionContext, type RegistryRow, type RegistrySecrets } from '../core/registries/registry.sql.ts';
import { storedProfile, withOffer } from './read-profile.ts';

/** Address, login and protocol settings of a registry. */
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
    /** A password change that was sent or planned, with an unknown outcome. */
    isPasswordUnsettled: secrets.new_password !== undefined,
  };
}
