import { type Database, violatedConstraint } from '@namehold/postgres';
import { Refusal } from './errors.ts';

type DeletedNoun = 'reseller' | 'customer' | 'contact';

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

/** Converts the errors raised by the triggers `refers_to_live` to refusals. Other errors stay as they are. */
function asDeletedReference(error: unknown): unknown {
  const noun = /^live_(reseller|customer|contact)$/.exec(violatedConstraint(error) ?? '')?.[1];
  if (noun === undefined) return error;
  const { detail = '', column = '' } = error as { detail?: string; column?: string };
  return new DeletedReference(noun as DeletedNoun, detail, column);
}

/** The same database; transactions that refer to something deleted in the meantime are refused. */
export function refusingDeleted(db: Database): Database {
  return {
    ...db,
    transaction: (tenant, work, whom) =>
      db.transaction(tenant, work, whom).catch((error: unknown) => {
        throw asDeletedReference(error);
      }),
  };
}
