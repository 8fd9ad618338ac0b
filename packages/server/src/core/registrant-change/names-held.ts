import type { Reader } from '@namehold/base';
import { tldClassOf } from '../policy/tld-class.ts';
import { namesUnder, tldsOfRegistrant } from './registrant-change.sql.ts';

/** Of more names than that, how many there are. */
const namesKept = 100;

/** Names of a contact that ICANN's rules are about. */
export async function namesHeld(db: Reader, resellerId: string, contactId: string) {
  const tlds = (await tldsOfRegistrant(db, resellerId, contactId)).filter((tld) => tldClassOf(tld) === 'generic');
  return tlds.length === 0 ? { names: [], count: 0 } : namesUnder(db, resellerId, contactId, tlds, namesKept);
}
