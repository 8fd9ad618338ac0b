import type { Database } from './database.ts';
import { allTenants, type Tenant } from './tenant.ts';

/**
 * The same database for whom a customer calls: what is asked for its reseller is asked for the customer alone. Where it `acts`, the reseller's tables are
 * open to it, held to what is the customer's.
 */
export function confinedTo(db: Database, customerId: string, acts = false): Database {
  const confined = (tenant: Tenant) => (tenant === allTenants ? tenant : `${tenant}${acts ? '+' : ':'}${customerId}`);
  return {
    ...db,
    as: (tenant) => db.as(confined(tenant)),
    asReplica: (tenant) => db.asReplica(confined(tenant)),
    autocommit: (tenant) => db.autocommit(confined(tenant)),
    transaction: (tenant, work, whom) => db.transaction(confined(tenant), work, whom),
  };
}
