import { Refusal } from '../../errors.ts';
import type { StoredRRset } from '../../model/zone.ts';
import { isDigestOf } from '../life/ds-digest.ts';
import { dsOf } from '../life/life.sql.ts';
import type { Rewrite } from './diff.ts';
import type { ZoneDraft } from './draft.ts';

/** While the registry publishes a DS, the zone must keep a key that it names: without one resolvers treat every answer as forged. */
export async function guardKeys(
  { tx, zone }: Pick<ZoneDraft, 'tx' | 'zone'>,
  changed: readonly Rewrite[],
): Promise<void> {
  const keys = changed.find(({ before }) => before?.name === zone.name && before.type === 'DNSKEY');
  if (!keys) return;
  const ds = await dsOf(tx, zone);
  const isNamed = (set: StoredRRset | undefined) =>
    set?.records.some(({ wire }) => ds.some((each) => isDigestOf(each, zone.name, wire))) ?? false;
  if (!isNamed(keys.before) || isNamed(keys.after)) return;
  throw new Refusal(
    'conflict',
    `${zone.name} DNSKEY: the registry has a DS record of this key only, so resolvers would reject the domain. Remove the DS record first, and the key after caches have expired.`,
    { facts: { ds }, help: { action: 'remove_ds', domain: zone.domain_id, ds } },
  );
}
