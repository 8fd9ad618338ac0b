import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import type { Listed, Page } from '../page.ts';
import { type AuditFilter, type AuditRow, listAudit } from './audit.sql.ts';
import { emailsOf, type LoggedObject, namesOf, scopesToName } from './object-names.sql.ts';

/** Whether the actor's scopes include this one. */
type Allows = (scope: string) => boolean;

const keyOf = ({ object_type, object_id }: LoggedObject): string => `${object_type} ${object_id}`;

/** Names are read, not stored: the log keeps no names of persons beyond the objects themselves. */
async function objectNames(
  ctx: AppContext,
  actor: Actor,
  rows: readonly AuditRow[],
  allows: Allows,
): Promise<Map<string, string>> {
  const readable = rows.filter(({ object_type }) => scopesToName(object_type).some(allows));
  // API keys cannot read users at all.
  const users = actor.user ? rows.filter(({ object_type }) => object_type === 'person') : [];
  const [named, emails] = await Promise.all([
    namesOf(ctx.db.as(actor.resellerId), actor.resellerId, readable),
    users.length === 0
      ? []
      : emailsOf(ctx.db.as(allTenants), actor.resellerId, [...new Set(users.map(({ object_id }) => object_id))]),
  ]);
  return new Map([...named, ...emails].map((each) => [keyOf(each), each.name]));
}

export async function readAudit(
  ctx: AppContext,
  actor: Actor,
  filter: AuditFilter,
  page: Page,
  allows: Allows,
): Promise<Listed<AuditRow & { readonly object_name: string | null }>> {
  const listed = await listAudit(ctx.db.as(actor.resellerId), actor.resellerId, filter, page);
  const names = await objectNames(ctx, actor, listed.rows, allows);
  return { ...listed, rows: listed.rows.map((row) => ({ ...row, object_name: names.get(keyOf(row)) ?? null })) };
}
