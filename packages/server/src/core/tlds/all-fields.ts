import type { Reader } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { TldFields } from '../ports/tld-fields.ts';
import { statedFields } from './tld.sql.ts';

/** The fields of all TLDs: of this release and of the catalogue. */
export const allFields = async (ctx: AppContext, db: Reader): Promise<TldFields[]> => [
  ...ctx.registries.tldFields,
  ...(await statedFields(db)),
];
