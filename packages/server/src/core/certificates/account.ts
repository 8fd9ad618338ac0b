import { allTenants } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import type { AccountStore } from './authority.ts';
import { findAccount, insertAccount, keepAccountUrl } from './order.sql.ts';

const contextOf = (authority: string) => `certificate_account:${authority}`;

/** Our accounts in the database: the key is there before the authority hears of it, so that an account is never made twice. */
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
