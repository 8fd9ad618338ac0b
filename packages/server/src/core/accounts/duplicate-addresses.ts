import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { listDuplicateAddresses } from '../reference/address.sql.ts';

/** Rows of each kind that a log entry names. */
const shown = 100;

/** Customers, users and accounts that cannot sign in, because another one has the same mailbox in another spelling. */
export async function reportDuplicateAddresses({ db, log }: Pick<AppContext, 'db' | 'log'>): Promise<void> {
  const duplicates = await listDuplicateAddresses(db.as(allTenants), shown);
  if (duplicates.length === 0) return;
  const ids = (of: string) => duplicates.filter(({ kind }) => kind === of).map(({ id }) => id);
  log.warn(
    { customers: ids('customer'), users: ids('user'), accounts: ids('account') },
    'email addresses are another spelling of an address that is in use; change them: they cannot be used to sign in until then',
  );
}
