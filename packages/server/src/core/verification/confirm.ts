import { everyTenant } from '@namehold/base';
import { clockworkFor } from '../domains/system-actor.ts';
import { answerChange, type ConfirmableChange, readChange, type SideAnswer } from '../holder-change/confirm.ts';
import type { House } from '../house.ts';
import { answerTarget, type ConfirmableTarget, readTargetLink } from '../mail-forwarding/confirm.ts';
import { findBrand } from '../notices/brand.sql.ts';
import { isToken, linkFingerprint } from './link.ts';
import { findOpenLink, namesOfAddress, type OpenLinkRow, useLink } from './verification.sql.ts';
import { releaseNames, verifyAddress } from './verify-address.ts';

const namesShown = 50;

/** That somebody can be reached at an address. */
export interface ConfirmableAddress {
  readonly kind: 'address';
  readonly address: string;
  readonly names: readonly string[];
  readonly brand: string;
  readonly language: 'en' | 'id';
}

/** What a link stands for, to be shown before anything is confirmed. */
export type Confirmable = ConfirmableAddress | ConfirmableChange | ConfirmableTarget;

/** Undefined: used, over or made up; nobody can tell which. Looking changes nothing: mail scanners look. */
export async function readConfirmation(house: House, token: string): Promise<Confirmable | undefined> {
  const link = await openLink(house, token);
  return link && shownBy(house, link);
}

async function openLink(house: House, token: string): Promise<OpenLinkRow | undefined> {
  if (!isToken(token)) return undefined;
  return findOpenLink(house.db.as(everyTenant), linkFingerprint(house, token), house.clock.now());
}

async function shownBy(house: House, link: OpenLinkRow): Promise<Confirmable | undefined> {
  const { operation_id: operationId, side } = link;
  if (link.mail_target_id !== null) return readTargetLink(house, { ...link, mail_target_id: link.mail_target_id });
  if (operationId !== null && side !== null) return readChange(house, { ...link, operation_id: operationId, side });
  const db = house.db.as(everyTenant);
  const names = await namesOfAddress(db, link.reseller_id, link.address_key, namesShown);
  if (names.length === 0) return undefined;
  const { name: brand } = await findBrand(db, link.reseller_id);
  const { address_key: address, language } = link;
  return { kind: 'address', address, names: names.map(({ name }) => name), brand, language };
}

/** What became of it, to be shown after. */
export interface Confirmed {
  readonly shown: Confirmable;
  readonly isYes: boolean;
}

/** The answer to what the page shows, once. */
export async function answerConfirmation(
  house: House,
  token: string,
  said: SideAnswer,
  from: string,
): Promise<Confirmed | undefined> {
  const link = await openLink(house, token);
  const shown = link && (await shownBy(house, link));
  if (!shown) return undefined;
  const isDone = await carryOut(house, shown, token, said, from);
  return isDone ? { shown, isYes: shown.kind === 'address' || said.isYes === true } : undefined;
}

function carryOut(house: House, shown: Confirmable, token: string, said: SideAnswer, from: string): Promise<boolean> {
  switch (shown.kind) {
    case 'address':
      return confirmAddress(house, token, from);
    case 'mail_target':
      return answerTarget(house, shown, said.isYes, from);
    case 'holder_change':
      return answerChange(house, linkFingerprint(house, token), said, from);
  }
}

/** The holder says yes. Every name of this reseller that waited for the address is free. */
async function confirmAddress(house: House, token: string, from: string): Promise<boolean> {
  const freed = await house.db.transaction(everyTenant, async (tx) => {
    const link = await useLink(tx, linkFingerprint(house, token), { now: house.clock.now(), address: from });
    return link && verifyAddress(house, tx, { ...clockworkFor(link, 'holder'), address: from }, link);
  });
  if (freed) releaseNames(house, freed);
  return freed !== undefined;
}
