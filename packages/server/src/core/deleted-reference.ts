import { type Database, violatedConstraint } from '@namehold/base';
import { Refusal } from './errors.ts';

export type DeletedNoun = 'reseller' | 'customer' | 'contact';

const fields: Readonly<Record<string, string>> = {
  reseller_id: 'reseller',
  owner_reseller_id: 'reseller',
  parent_id: 'reseller',
  payer_id: 'payerId',
  customer_id: 'customer',
  registrant_contact_id: 'registrant',
  admin_contact_id: 'admin',
  tech_contact_id: 'tech',
  billing_contact_id: 'billing',
};

/** The reseller, customer or contact that a write refers to was deleted after the request had been checked. Nothing was written. */
export class DeletedReference extends Refusal {
  readonly noun: DeletedNoun;
  readonly id: string;
  constructor(noun: DeletedNoun, id: string, column: string) {
    const field = fields[column] ?? noun;
    const message = `There is no such ${noun}.`;
    super('invalid_argument', `${field}: ${message}`, { errors: [{ field, code: 'not_found', message }] });
    this.noun = noun;
    this.id = id;
  }
}

/** What the triggers of migration 0225 raise, as a refusal. Every other error stays as it is. */
function asDeletedReference(error: unknown): unknown {
  const noun = /^live_(reseller|customer|contact)$/.exec(violatedConstraint(error) ?? '')?.[1];
  if (noun === undefined) return error;
  const { detail = '', column = '' } = error as { detail?: string; column?: string };
  return new DeletedReference(noun as DeletedNoun, detail, column);
}

/** The same database, whose transactions are refused where they refer to something that was deleted meanwhile. */
export function refusingDeleted(db: Database): Database {
  return {
    ...db,
    transaction: (tenant, work, whom) =>
      db.transaction(tenant, work, whom).catch((error: unknown) => {
        throw asDeletedReference(error);
      }),
  };
}
