import { allTenants } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { badField } from '../errors.ts';
import type { Contact } from '../model/contact.ts';
import type { Extra } from '../model/tld.ts';
import { checkExtra, classesOf, isExtraClass } from '../tlds/extra.ts';
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

/** The declarations of a contact: the requested criteria, and those that the fields of `extra` belong to; each must be complete. */
export function declare(criteria: string | undefined, extra: Extra): Declared {
  const kinds = classesOf(extra);
  if (criteria && isExtraClass(criteria) && !kinds.includes(criteria)) kinds.push(criteria);
  const checked = kinds.map((kind) => checkExtra(kind, extra));
  const all = new Set<string>([...(criteria ? [criteria] : []), ...kinds]);
  return { eligibility_criteria: [...all].sort(), extra: Object.assign({}, ...checked) as Extra };
}
