import { everyTenant } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { clockworkFor } from '../domains/system-actor.ts';
import { appendEvent } from '../events/append.ts';
import type { House } from '../house.ts';
import { findBrand } from '../notices/brand.sql.ts';
import { linkFingerprint } from './ask.ts';
import { releaseName } from './follow.ts';
import { endWaiting, findOpenLink, markVerified, namesOfAddress, useLink } from './verification.sql.ts';

const namesShown = 50;

/** What a link stands for, to be shown before anything is confirmed. */
export interface Confirmable {
  readonly address: string;
  readonly names: readonly string[];
  readonly brand: string;
  readonly language: 'en' | 'id';
}

const form = /^[a-z0-9]{40}$/;

/** Undefined: used, over or made up; nobody can tell which. Looking changes nothing: mail scanners look. */
export async function readConfirmation(house: House, token: string): Promise<Confirmable | undefined> {
  if (!form.test(token)) return undefined;
  const db = house.db.as(everyTenant);
  const link = await findOpenLink(db, linkFingerprint(house, token), house.clock.now());
  if (!link) return undefined;
  const names = await namesOfAddress(db, link.reseller_id, link.address_key, namesShown);
  if (names.length === 0) return undefined;
  const { name: brand } = await findBrand(db, link.reseller_id);
  return { address: link.address_key, names: names.map(({ name }) => name), brand, language: link.language };
}

/** The holder says yes, once. Every name of this reseller that waited for the address is free. */
export async function confirmHolder(house: House, token: string, from: string): Promise<Confirmable | undefined> {
  const shown = await readConfirmation(house, token);
  if (!shown) return undefined;
  const now = house.clock.now();
  const freed = await house.db.transaction(everyTenant, async (tx) => {
    const link = await useLink(tx, linkFingerprint(house, token), { now, address: from });
    if (!link) return undefined;
    const { reseller_id: resellerId } = link;
    await markVerified(tx, resellerId, link.address_key, now);
    const names = await endWaiting(tx, resellerId, link.address_key, now);
    const actor = { ...clockworkFor(link, 'holder'), address: from };
    for (const { id, name } of names) {
      await audit(house, tx, actor, { action: 'domain.verified', objectType: 'domain', objectId: id });
      const payload = { domain_id: id, domain_name: name };
      await appendEvent(house, tx, { resellerId, type: 'domain.verified', objectId: id, payload });
    }
    return names;
  });
  if (!freed) return undefined;
  // What does not come off at once, the clockwork takes off.
  for (const domain of freed)
    if (domain.unverified)
      void releaseName(house, domain).catch((error: unknown) =>
        house.log.error({ err: error, domain_id: domain.id }, 'a hold could not be lifted'),
      );
  return shown;
}
