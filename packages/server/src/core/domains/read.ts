import type { Actor, AppContext } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import type { Domain } from '../model/domain.ts';
import type { Operation } from '../model/operation.ts';
import type { TldRules } from '../model/tld.ts';
import { requireDomain } from './find.ts';
import { renewBy } from './lifecycle.ts';
import { type DomainRow, readDomainRow, rulesOfEach } from './list.sql.ts';

/** A domain as it is shown: the row and related data. */
export interface ShownDomain {
  readonly domain: Domain;
  /** Null: the customer of another account. */
  readonly customer: { readonly name: string; readonly email: string } | null;
  /** The open operation. */
  readonly operation: Pick<Operation, 'id' | 'kind' | 'state'> | null;
  readonly renewBy: Date | null;
  readonly asOf: Date;
}

export function shownDomain(row: DomainRow, rules: TldRules | undefined, asOf: Date): ShownDomain {
  return {
    domain: row,
    customer:
      row.customer_name === null || row.customer_email === null
        ? null
        : { name: row.customer_name, email: row.customer_email },
    operation:
      row.operation_id === null
        ? null
        : { id: row.operation_id, kind: row.operation_kind!, state: row.operation_state! },
    renewBy: rules ? renewBy(row, rules) : null,
    asOf,
  };
}

export async function readShownDomain(
  ctx: AppContext,
  actor: Actor,
  idOrName: string,
  customerId?: string,
): Promise<ShownDomain> {
  const domain = await requireDomain(ctx, actor, idOrName, customerId);
  const db = ctx.db.as(actor.resellerId);
  const [row, rulesFor] = await Promise.all([
    readDomainRow(db, actor.resellerId, domain.id),
    rulesOfEach(db, [domain]),
  ]);
  return shownDomain(row!, rulesFor(domain), ctx.clock.now());
}

/** An unknown domain name in the query is an invalid field, because control panels drop the text of a 404. */
export async function readByName(
  ctx: AppContext,
  actor: Actor,
  name: string,
  customerId?: string,
): Promise<ShownDomain> {
  const unknown = badField('domainName', `${name} not found.`, 'not_found');
  // Digits alone are no domain name, and must not be read as an id.
  if (!name.includes('.')) throw unknown;
  try {
    return await readShownDomain(ctx, actor, name, customerId);
  } catch (error) {
    throw error instanceof Refusal && error.code === 'not_found' ? unknown : error;
  }
}
