import { type Money, money } from '@namehold/base';
import { type ShownSetting, shownSettings } from '../../config.ts';
import type { Actor, House } from '../house.ts';
import { nameserverRows } from '../nameservers/nameserver.sql.ts';
import type { Engine } from '../nameservers/nameserver.ts';
import { listRegistries } from '../registries/registry.sql.ts';
import { everything } from './look.ts';
import { nameserverStandings, type RegistryStanding, registryStandings } from './parts.sql.ts';

/** Of the zones that a nameserver lacks no more are counted. */
export const countedZones = 1_000;

export type RegistryLook = RegistryStanding & {
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  readonly tlds: readonly string[];
  readonly isActive: boolean;
  /** Whether the process that answers lets commands through to it. */
  readonly isReachable: boolean;
  readonly balance: Money | null;
  readonly certificateEndsAt: Date | null;
  readonly passwordEndsAt: Date | null;
};

/** Without its secrets. */
export async function lookAtRegistries(house: House, actor: Actor): Promise<RegistryLook[]> {
  const db = everything(house, actor);
  const [rows, standings] = await Promise.all([listRegistries(db), registryStandings(db)]);
  const byId = new Map(standings.map((each) => [each.id, each]));
  return rows.flatMap((row) => {
    const standing = byId.get(row.id);
    if (!standing) return [];
    const { host, port, tlds, balance, balance_currency: currency } = row;
    const known = balance !== null && currency !== null ? money(BigInt(balance), currency) : null;
    return {
      ...standing,
      host,
      port,
      tlds,
      clientId: row.client_id,
      isActive: row.is_active,
      isReachable: house.registries.isReachable(row.id),
      balance: known,
      certificateEndsAt: row.certificate_expires_at,
      passwordEndsAt: row.password_expires_at,
    };
  });
}

export interface NameserverLook {
  readonly id: string;
  readonly engine: Engine;
  readonly address: string;
  readonly port: number;
  readonly isPublic: boolean;
  readonly isActive: boolean;
  readonly isSigned: boolean;
  readonly behind: number;
  /** How long the zone waits that waits longest. */
  readonly lagSeconds: number;
  readonly checkedAt: Date | null;
  readonly error: string | null;
}

export async function lookAtNameservers(house: House, actor: Actor): Promise<NameserverLook[]> {
  const db = everything(house, actor);
  const [rows, standings] = await Promise.all([nameserverRows(db), nameserverStandings(db, countedZones)]);
  const byId = new Map(standings.map((each) => [each.id, each]));
  const now = house.wall.now().getTime();
  return rows.map((row) => {
    const standing = byId.get(row.id);
    const oldest = standing?.oldest_change?.getTime() ?? now;
    return {
      id: row.id,
      engine: row.engine,
      address: row.address,
      port: row.port,
      isPublic: row.is_public,
      isActive: row.is_active,
      isSigned: row.tsig_name !== null,
      behind: standing?.behind ?? 0,
      lagSeconds: Math.max(0, Math.round((now - oldest) / 1_000)),
      checkedAt: standing?.checked_at ?? null,
      error: standing?.error ?? null,
    };
  });
}

export function lookAtSettings(house: House, actor: Actor): ShownSetting[] {
  everything(house, actor);
  return shownSettings(house.config);
}
