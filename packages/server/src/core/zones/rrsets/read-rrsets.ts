import type { RRset } from '@namehold/dns';
import type { AppContext } from '../../app-context.ts';
import { badField } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import type { Zone } from '../../model/zone.ts';
import { inFields } from '../change/problems.ts';
import { zoneLimits } from '../limits.ts';
import { ownerName } from '../records/owner-name.ts';
import { requireZone } from '../require-zone.ts';
import { soaRRset } from '../soa.ts';
import { writableType } from './edit-rrsets.ts';
import { pageOfRRsets } from './rrset.sql.ts';

interface RRsetQuery {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

interface RRsetPage {
  readonly zone: Zone;
  readonly rrsets: readonly RRset[];
  /** The start of the next page; undefined on the last. */
  readonly next: string | undefined;
}

/** RRsets by name and type, in pages; the SOA leads the first page. */
export async function readRRsets(ctx: AppContext, domain: Domain, query: RRsetQuery): Promise<RRsetPage> {
  const zone = await requireZone(ctx, domain);
  const name =
    query.name === undefined
      ? undefined
      : inFields(
          () => 'name',
          () => ownerName(query.name!, zone.name),
        );
  const type =
    query.type === undefined
      ? undefined
      : inFields(
          () => 'type',
          () => writableType(query.type!),
        );
  const limit = query.limit ?? zoneLimits.rrsetsPerPage;
  const after = query.after === undefined ? undefined : cursorOf(query.after);
  const found = await pageOfRRsets(ctx.db.as(domain.reseller_id), zone.id, {
    limit: limit + 1,
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(after ? { after } : {}),
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const withSoa = !after && (type === undefined || type === 'SOA') && (name === undefined || name === zone.name);
  return {
    zone,
    rrsets: withSoa ? [soaRRset(zone), ...page] : page,
    next: found.length > limit && last ? `${last.name} ${last.type}` : undefined,
  };
}

function cursorOf(text: string): { name: string; type: string } {
  const [name, type, ...rest] = text.split(' ');
  if (!name || !type || rest.length > 0) throw badField('after', 'Must be the value at the end of the previous page.');
  return { name, type };
}
