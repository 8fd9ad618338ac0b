import { sql } from '@namehold/base';
import { settleDue } from '../clockwork/settle.ts';
import { findDomain } from '../domain/domain.sql.ts';
import { statusesOf } from '../domain/view.ts';
import { decimal } from '../money/price.ts';
import { registryTenant } from '../registry/registry.ts';
import { sandboxCurrency } from '../tlds/index.ts';
import { type ControlCall, ControlError, limitOf } from './control.ts';

const maxLimit = 1_000;

interface Line {
  readonly at: Date;
  readonly kind: string;
  readonly command: string;
  readonly domain: string;
  readonly amount: string;
}

/**
 * `?client=namehold&after=<name>&limit=` or `&name=`: every name that the account sponsors or ever paid for, in the order of octets, each
 * with its lines of the statement. What a registrar needs to hold its own books against the registry's.
 */
export const showNames: ControlCall = async ({ registry }, { query }) => {
  await settleDue(registry);
  const client = query.get('client') ?? '';
  const db = registry.db.as(registryTenant);
  if (!(await db.maybe(sql`select 1 as known from registrar where client_id = ${client}`)))
    throw new ControlError(404, `no account "${client}": ?client= names one`);
  const limit = limitOf(query, maxLimit, maxLimit);
  const after = query.get('after') ?? '';
  const one = query.get('name');
  const names = await db.many<{ name: string }>(sql`
    select name from (
      (select name collate "C" as name from domain where sponsor = ${client} and name collate "C" > ${after} and (${one}::text is null or name = ${one})
       order by 1 limit ${limit})
      union
      (select distinct domain collate "C" from statement where client_id = ${client} and domain collate "C" > ${after} and kind in ('charge', 'refund')
         and (${one}::text is null or domain = ${one}) order by 1 limit ${limit})
    ) known order by 1 limit ${limit}`);
  const lines = await db.many<Line>(sql`
    select at, kind, command, domain, amount from statement
    where client_id = ${client} and kind in ('charge', 'refund') and domain = any (${names.map((each) => each.name)}::text[]) order by id`);
  const ofName = Map.groupBy(lines, (line) => line.domain);
  const shown = [];
  for (const { name } of names) {
    const domain = await findDomain(db, name);
    shown.push({
      name,
      sponsored: domain?.sponsor === client,
      expires_at: domain?.expiresAt ?? null,
      statuses: domain ? statusesOf(domain) : [],
      lines: (ofName.get(name) ?? []).map(({ at, kind, command, amount }) => ({
        at,
        kind,
        command,
        amount: decimal(BigInt(amount)),
      })),
    });
  }
  return { client_id: client, currency: sandboxCurrency, names: shown };
};
