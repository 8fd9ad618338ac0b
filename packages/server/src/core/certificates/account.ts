import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import type { AccountBook } from './authority.ts';
import { findAccount, insertAccount, keepAccountUrl } from './order.sql.ts';

const contextOf = (authority: string) => `certificate_account:${authority}`;

/** Our accounts in the database: the key is there before the authority hears of it, so that an account is never made twice. */
export function accountBook({ db, vault }: Pick<House, 'db' | 'vault'>): AccountBook {
  return {
    async open(authority, newKey) {
      const context = contextOf(authority);
      if (!(await findAccount(db.as(everyTenant), authority)))
        await insertAccount(db.alone(everyTenant), authority, vault.seal(newKey(), context));
      const kept = (await findAccount(db.as(everyTenant), authority))!;
      return { key: vault.open(kept.key_sealed, context), url: kept.url };
    },
    keepUrl: (authority, url) => keepAccountUrl(db.alone(everyTenant), authority, url),
  };
}
