import { allTenants, type Reader } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { badField } from '../errors.ts';
import type { Contact } from '../model/contact.ts';
import type { Extra } from '../model/tld.ts';
import type { TldFields } from '../ports/tld-fields.ts';
import { allFields } from '../tlds/all-fields.ts';
import { checkExtra, fieldsOf, isIn, knownFields } from '../tlds/extra.ts';
import { tldName } from '../tlds/read.ts';
import { findTld } from '../tlds/tld.sql.ts';

/** TLDs for which contacts may be created before they are offered; every TLD of the catalogue is accepted as well. */
export const criteria = [
  'mn',
  'name',
  'biz',
  'us',
  'co',
  'in',
  'cc',
  'ca',
  'com',
  'bz',
  'mobi',
  'info',
  'tv',
  'org',
  'net',
  'pw',
  'asia',
] as const;

/** The criteria word for a TLD as clients send it: any case, with or without the leading dot. */
export async function readCriteria(ctx: AppContext, text: string): Promise<string> {
  const name = tldName(text);
  if (name && (criteria.some((word) => word === name) || (await findTld(ctx.db.as(allTenants), name)))) return name;
  throw badField('eligibility', `"${text.slice(0, 60)}" is not a TLD that is offered.`, 'invalid', {
    action: 'list_tlds',
  });
}

type Declared = Pick<Contact, 'eligibility_criteria' | 'extra'>;

/** The fields that a contact declares for these criteria. Undefined: none are needed. */
export async function fieldsFor(ctx: AppContext, db: Reader, criteria: string): Promise<TldFields | undefined> {
  const known = knownFields(ctx, criteria);
  if (known) return known;
  const tld = await findTld(db, criteria);
  const fields = tld && fieldsOf(ctx, tld.rules);
  return fields?.carrier === 'contact' ? fields : undefined;
}

/** The declarations of a contact: the requested criteria, and those that the fields of `extra` belong to; each must be complete. */
export async function declare(
  ctx: AppContext,
  db: Reader,
  criteria: string | undefined,
  extra: Extra,
): Promise<Declared> {
  const requested = criteria ? await fieldsFor(ctx, db, criteria) : undefined;
  const present = Object.keys(extra).length === 0 ? [] : await allFields(ctx, db);
  const sent = present.filter((fields) => fields.name !== requested?.name && isIn(fields, extra));
  const all = [...(requested ? [requested] : []), ...sent].filter(({ carrier }) => carrier === 'contact');
  const checked = all.map((fields) => checkExtra(fields, extra));
  const names = new Set<string>([...(criteria ? [criteria] : []), ...all.map(({ name }) => name)]);
  return { eligibility_criteria: [...names].sort(), extra: Object.assign({}, ...checked) as Extra };
}
