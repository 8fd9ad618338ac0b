import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { AccountStore } from '../ports/certificate-authority.ts';
import { findAccount, insertAccount, keepAccountUrl } from './order.sql.ts';

const contextOf = (authority: string) => `certificate_account:${authority}`;

/** ACME accounts in the database. The key is stored before the account is registered, so that no second account is created. */
export function accountStore({ db, vault }: Pick<AppContext, 'db' | 'vault'>): AccountStore {
  return {
    async open(authority, newKey) {
      const context = contextOf(authority);
      if (!(await findAccount(db.as(allTenants), authority)))
        await insertAccount(db.autocommit(allTenants), authority, vault.encrypt(newKey(), context));
      const kept = (await findAccount(db.as(allTenants), authority))!;
      return { key: vault.open(kept.key_sealed, context), url: kept.url };
    },
    keepUrl: (authority, url) => keepAccountUrl(db.autocommit(allTenants), authority, url),
  };
}
