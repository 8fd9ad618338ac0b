import type { Reader } from '@namehold/postgres';
import { tldClassOf } from '../policy/tld-class.ts';
import { namesUnder, tldsOfRegistrant } from './registrant-change.sql.ts';

/** Above this number only the count is reported. */
const namesKept = 100;

/** Domains of a contact that ICANN's rules apply to. */
export async function namesHeld(db: Reader, resellerId: string, contactId: string) {
  const tlds = (await tldsOfRegistrant(db, resellerId, contactId)).filter((tld) => tldClassOf(tld) === 'generic');
  return tlds.length === 0 ? { names: [], count: 0 } : namesUnder(db, resellerId, contactId, tlds, namesKept);
}
