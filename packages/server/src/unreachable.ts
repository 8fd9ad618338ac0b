import { addressesOf, isConnectionLoss } from '@namehold/postgres';
import { SettingError } from './config.ts';

/** Hosts of a database URL, without user and password. */
export function placesOf(address: string): string {
  const places = addressesOf(address).map((each) => {
    const { hostname, port, searchParams } = new URL(each);
    return searchParams.get('host') ?? `${hostname}:${port || 5432}`;
  });
  return places.join(', ');
}

/** An unreachable, frozen or read-only server, a missing database or a refused login: the error names the setting to change. */
export function unreachable(setting: string, address: string, error: unknown): unknown {
  const { code = '', message } = error as Error & { code?: string };
  if (
    error instanceof SettingError ||
    !(isConnectionLoss(error) || message === 'timeout expired' || /^(28|3D|25006$)/.test(code))
  )
    return error;
  if (code === '25006')
    return new SettingError(
      `the database at ${placesOf(address)} is read-only, as a standby: set ${setting} to the primary, or to all hosts of the cluster`,
      { cause: error },
    );
  const embedded = setting === 'DATABASE_URL' ? '; without it the embedded database is used' : '';
  return new SettingError(
    `the database at ${placesOf(address)} cannot be reached (${message}): check that PostgreSQL runs there and accepts this login, or set ${setting} to its address${embedded}`,
    { cause: error },
  );
}
