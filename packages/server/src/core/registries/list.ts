import { everyTenant, formatMoney, money } from '@namehold/base';
import type { House } from '../house.ts';
import { listRegistries } from './registry.sql.ts';

/** A connected registry without its secrets. */
export interface RegistryShown {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly client_id: string;
  readonly tlds: readonly string[];
  readonly is_active: boolean;
  readonly is_reachable: boolean;
  readonly balance: { readonly amount: string; readonly currency: string } | null;
  readonly certificate_expires_at: Date | null;
  readonly password_expires_at: Date | null;
}

export async function readRegistries(house: House): Promise<RegistryShown[]> {
  const rows = await listRegistries(house.db.as(everyTenant));
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    port: row.port,
    client_id: row.client_id,
    tlds: row.tlds,
    is_active: row.is_active,
    is_reachable: house.registries.isReachable(row.id),
    balance:
      row.balance === null || row.balance_currency === null
        ? null
        : { amount: formatMoney(money(BigInt(row.balance), row.balance_currency)), currency: row.balance_currency },
    certificate_expires_at: row.certificate_expires_at,
    password_expires_at: row.password_expires_at,
  }));
}
