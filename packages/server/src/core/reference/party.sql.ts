import { type Sql, sql } from '@namehold/postgres';

/** `%text%` for ilike, with the wildcards of the text itself escaped. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** Columns of everything with a name, an address and a telephone. */
export const postalColumns = {
  email: 'text',
  name: 'text',
  company: 'text',
  address_line_1: 'text',
  address_line_2: 'text',
  address_line_3: 'text',
  city: 'text',
  state: 'text',
  country_code: 'text',
  zipcode: 'text',
  tel_cc_no: 'text',
  tel_no: 'text',
  fax_cc_no: 'text?',
  fax_no: 'text?',
} as const;

/** Accounts and customers have further numbers. */
export const partyColumns = {
  ...postalColumns,
  alt_tel_cc_no: 'text?',
  alt_tel_no: 'text?',
  mobile_cc_no: 'text?',
  mobile_no: 'text?',
} as const;

/** Fields by which customers, contacts and resellers are searched. */
export interface PartyFilter {
  readonly ids?: readonly string[] | undefined;
  readonly status?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly company?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country?: string | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** All but the email address, which each stores in its own way. */
export function partyConditions(filter: PartyFilter): Sql[] {
  const made: Sql[] = [];
  if (filter.ids) made.push(sql`id = any (${filter.ids}::bigint[])`);
  if (filter.status) made.push(sql`status = ${filter.status}`);
  if (filter.name) made.push(sql`name ilike ${containing(filter.name)}`);
  if (filter.company) made.push(sql`company ilike ${containing(filter.company)}`);
  if (filter.city) made.push(sql`city ilike ${containing(filter.city)}`);
  if (filter.state) made.push(sql`state ilike ${containing(filter.state)}`);
  if (filter.country) made.push(sql`country_code = ${filter.country}`);
  if (filter.createdFrom) made.push(sql`created_at >= ${filter.createdFrom}`);
  if (filter.createdTo) made.push(sql`created_at <= ${filter.createdTo}`);
  return made;
}
