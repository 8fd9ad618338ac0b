import { type Reader, type Sql, sql } from '@namehold/postgres';
import { type Operation, openStates } from '../model/operation.ts';
import type { Listed, Page } from '../page.ts';
import { pageOfOperations } from './list.sql.ts';
import { operationColumns } from './operation.sql.ts';

/** `open` stands for every state that is not final. */
export interface AllOperationsFilter {
  readonly state?: string | undefined;
  readonly kind?: string | undefined;
  readonly resellerId?: string | undefined;
  readonly domainId?: string | undefined;
}

export type AnyOperation = Operation & { readonly domain_name: string | null };

const isOpen = sql`state not in ('done', 'refused', 'cancelled')`;
const withName = sql`${operationColumns}, request ->> 'name' as domain_name`;

/** Over all resellers, newest first. */
export async function listAllOperations(
  db: Reader,
  filter: AllOperationsFilter,
  page: Page,
): Promise<Listed<AnyOperation>> {
  const made: Sql[] = [sql`true`];
  // Open operations are few among many, and have an index of their own.
  if (filter.state === 'open' || openStates.some((state) => state === filter.state)) made.push(isOpen);
  if (filter.state && filter.state !== 'open') made.push(sql`state = ${filter.state}`);
  if (filter.kind) made.push(sql`kind = ${filter.kind}`);
  if (filter.resellerId) made.push(sql`reseller_id = ${filter.resellerId}`);
  if (filter.domainId) made.push(sql`domain_id = ${filter.domainId}`);
  return pageOfOperations<AnyOperation>(db, withName, made, page);
}

export async function findAnyOperation(db: Reader, id: string): Promise<AnyOperation | undefined> {
  return db.maybe<AnyOperation>(sql`select ${withName} from operation where id = ${id}`);
}
