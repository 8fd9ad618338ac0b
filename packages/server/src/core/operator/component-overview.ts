import { type Money, money } from '@namehold/base';
import { type DisplayedSetting, displayedSettings } from '../../config.ts';
import { everything } from '../accounts/everything.ts';
import { restIsOver } from '../alarms/acknowledge.ts';
import type { OpenAlarm } from '../alarms/alarm.sql.ts';
import { openAlarms } from '../alarms/alarm.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { nameserverRows } from '../nameservers/nameserver.sql.ts';
import type { Engine } from '../nameservers/nameserver.ts';
import { listRegistries } from '../registries/registry.sql.ts';
import { nameserverStatuses, type RegistryStatus, registryStatuses } from './component-status.sql.ts';

/** Zones that a nameserver lacks are counted only up to this number. */
export const countedZones = 1_000;

export type RegistryOverview = RegistryStatus & {
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  readonly tlds: readonly string[];
  /** Those of these TLDs whose new registrations and transfers in go to it. */
  readonly routes: readonly string[];
  readonly isActive: boolean;
  /** Whether the answering process sends commands to it. */
  readonly isReachable: boolean;
  readonly balance: Money | null;
  readonly certificateEndsAt: Date | null;
  readonly passwordEndsAt: Date | null;
  /** Open alarms about it that are not acknowledged. */
  readonly alarms: readonly OpenAlarm[];
};

/** Without its secrets. */
export async function readRegistries(ctx: AppContext, actor: Actor): Promise<RegistryOverview[]> {
  const db = everything(ctx, actor);
  const [rows, listStatuses, alarms] = await Promise.all([listRegistries(db), registryStatuses(db), openAlarms(ctx)]);
  const now = ctx.wall.now();
  const active = alarms.filter((alarm) => restIsOver(alarm, now));
  const byId = new Map(listStatuses.map((each) => [each.id, each]));
  return rows.flatMap((row) => {
    const status = byId.get(row.id);
    if (!status) return [];
    const { host, port, tlds, routes, balance, balance_currency: currency } = row;
    const known = balance !== null && currency !== null ? money(BigInt(balance), currency) : null;
    return {
      ...status,
      host,
      port,
      tlds,
      routes,
      clientId: row.client_id,
      isActive: row.is_active,
      isReachable: ctx.registries.isReachable(row.id),
      balance: known,
      certificateEndsAt: row.certificate_expires_at,
      passwordEndsAt: row.password_expires_at,
      alarms: active.filter(({ key }) => key.startsWith(`registry:${row.id}:`)),
    };
  });
}

export interface NameserverOverview {
  readonly id: string;
  readonly engine: Engine;
  readonly address: string;
  readonly port: number;
  readonly isPublic: boolean;
  readonly isActive: boolean;
  readonly isSigned: boolean;
  readonly behind: number;
  /** Waiting time of the longest waiting zone. */
  readonly lagSeconds: number;
  readonly checkedAt: Date | null;
  readonly error: string | null;
}

export async function readNameserverOverviews(ctx: AppContext, actor: Actor): Promise<NameserverOverview[]> {
  const db = everything(ctx, actor);
  const [rows, listStatuses] = await Promise.all([nameserverRows(db), nameserverStatuses(db, countedZones)]);
  const byId = new Map(listStatuses.map((each) => [each.id, each]));
  const now = ctx.wall.now().getTime();
  return rows.map((row) => {
    const status = byId.get(row.id);
    const oldest = status?.oldest_change?.getTime() ?? now;
    return {
      id: row.id,
      engine: row.engine,
      address: row.address,
      port: row.port,
      isPublic: row.is_public,
      isActive: row.is_active,
      isSigned: row.tsig_name !== null,
      behind: status?.behind ?? 0,
      lagSeconds: Math.max(0, Math.round((now - oldest) / 1_000)),
      checkedAt: status?.checked_at ?? null,
      error: status?.error ?? null,
    };
  });
}

export function readShownSettings(ctx: AppContext, actor: Actor): DisplayedSetting[] {
  everything(ctx, actor);
  return displayedSettings(ctx.config);
}
