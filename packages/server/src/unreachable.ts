import { addressesOf, isConnectionLoss } from '@namehold/base';
import { SettingError } from './config.ts';

/** Where an address leads; not as whom, nor by which password. */
function placesOf(address: string): string {
  const places = addressesOf(address).map((each) => {
    const { hostname, port, searchParams } = new URL(each);
    return searchParams.get('host') ?? `${hostname}:${port || 5432}`;
  });
  return places.join(', ');
}

/** A server that is away, has no such database, does not let this login in or only reads is told with the setting by which an operator names another. */
export function unreachable(setting: string, address: string, error: unknown): unknown {
  const { code = '', message } = error as Error & { code?: string };
  if (error instanceof SettingError || !(isConnectionLoss(error) || /^(28|3D|25006$)/.test(code))) return error;
  if (code === '25006')
    return new SettingError(
      `the database at ${placesOf(address)} accepts no writes because it is a standby: set ${setting} to the primary, or to all hosts of the cluster`,
      { cause: error },
    );
  const embedded = setting === 'DATABASE_URL' ? '; without it the embedded database is used' : '';
  return new SettingError(
    `the database at ${placesOf(address)} cannot be reached (${message}): check that PostgreSQL runs there and accepts this login, or set ${setting} to another address${embedded}`,
    { cause: error },
  );
}
