import { EppSession, EppUnsentError, type RegistryProfile, systemClock } from '@namehold/epp';
import type { House } from '../core/house.ts';
import { type RegistryRow, type RegistrySecrets, sealContext } from '../core/registries/registry.sql.ts';
import { type Probed, type RegistryTest, testRegistry } from '../core/registries/test.ts';
import { databaseSlots } from './slots.ts';

/** `namehold registry test`: one session of its own, counted like every other, opened and closed. */
export function testConnection(house: House, registryId: string): Promise<RegistryTest> {
  return testRegistry(house, registryId, logInOnce);
}

async function logInOnce(house: House, row: RegistryRow): Promise<Probed> {
  const slot = await databaseSlots(house, row.id, `test-${house.engine.owner}`).acquire();
  if (!slot)
    return {
      kind: 'failed',
      why: 'all sessions of the account are in use; stop a service process or raise limits.sessions',
    };
  const secrets = JSON.parse(house.vault.open(row.secrets_sealed, sealContext(row.id))) as RegistrySecrets;
  try {
    const session = await EppSession.open({
      endpoint: {
        host: row.host,
        port: row.port,
        ...(row.server_name ? { servername: row.server_name } : {}),
        ...(row.ca_pem ? { ca: row.ca_pem } : {}),
        ...(row.certificate_pem ? { cert: row.certificate_pem } : {}),
        ...(secrets.key_pem ? { key: secrets.key_pem } : {}),
      },
      credentials: { clID: row.client_id, pw: secrets.password, userAgent: { app: 'Namehold' } },
      profile: row.profile as unknown as RegistryProfile,
      clock: systemClock,
      newClTRID: () => house.ids.next('nh').slice(0, 48),
      onEvent: () => undefined,
      onDead: () => undefined,
    });
    const { greeting } = session;
    await session.logout();
    return { kind: 'logged_in', greeting };
  } catch (error) {
    if (!(error instanceof EppUnsentError)) throw error;
    return { kind: 'failed', why: `${error.why}: ${error.message}` };
  } finally {
    await slot.release();
  }
}
