import type { Database } from '../database.ts';
import { allTenants, type Tenant } from './tenant.ts';

/**
 * Limits a database to one customer: queries under the reseller's tenant run under the customer's tenant. With `acts`, the reseller's
 * tables can be read, limited to the customer's rows.
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
