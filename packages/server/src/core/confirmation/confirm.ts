import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { AppContext } from '../app-context.ts';
import { findOpenLink, type OpenLinkRow, useLink } from '../links/link.sql.ts';
import { isToken, linkFingerprint } from '../links/link.ts';
import { answerTarget, type ConfirmableTarget, readTargetLink } from '../mail-forwarding/confirm.ts';
import { findBrand } from '../notices/brand.sql.ts';
import { namesOfAddress } from '../verification/verification.sql.ts';
import { releaseNames, verifyAddress } from '../verification/verify-address.ts';
import { answerChange, type ConfirmableChange, readChange, type SideAnswer } from './answer-change.ts';

const namesShown = 50;

/** Confirms that an address reaches its owner. */
export interface ConfirmableAddress {
  readonly kind: 'address';
  readonly address: string;
  readonly names: readonly string[];
  readonly brand: string;
  readonly language: 'en' | 'id';
}

/** What a link is for, shown before anything is confirmed. */
export type Confirmable = ConfirmableAddress | ConfirmableChange | ConfirmableTarget;

/** Undefined: used, expired or invented; the answer does not say which. Reading changes nothing, because mail scanners follow links. */
export async function readConfirmation(ctx: AppContext, token: string): Promise<Confirmable | undefined> {
  const link = await openLink(ctx, token);
  return link && shownBy(ctx, link);
}

async function openLink(ctx: AppContext, token: string): Promise<OpenLinkRow | undefined> {
  if (!isToken(token)) return undefined;
  return findOpenLink(ctx.db.as(allTenants), linkFingerprint(ctx, token), ctx.clock.now());
}

async function shownBy(ctx: AppContext, link: OpenLinkRow): Promise<Confirmable | undefined> {
  const { operation_id: operationId, side } = link;
  if (link.mail_target_id !== null) return readTargetLink(ctx, { ...link, mail_target_id: link.mail_target_id });
  if (operationId !== null && side !== null) return readChange(ctx, { ...link, operation_id: operationId, side });
  const db = ctx.db.as(allTenants);
  const names = await namesOfAddress(db, link.reseller_id, link.address_key, namesShown);
  if (names.length === 0) return undefined;
  const { name: brand } = await findBrand(db, link.reseller_id);
  const { address_key: address, language } = link;
  return { kind: 'address', address, names: names.map(({ name }) => name), brand, language };
}

/** The result, shown afterwards. */
export interface Confirmed {
  readonly shown: Confirmable;
  readonly isConfirmed: boolean;
}

/** The answer to the page, accepted once. */
export async function answerConfirmation(
  ctx: AppContext,
  token: string,
  answer: SideAnswer,
  from: string,
): Promise<Confirmed | undefined> {
  const link = await openLink(ctx, token);
  const shown = link && (await shownBy(ctx, link));
  if (!shown) return undefined;
  const isDone = await carryOut(ctx, shown, token, answer, from);
  return isDone ? { shown, isConfirmed: shown.kind === 'address' || answer.isConfirmed === true } : undefined;
}

function carryOut(
  ctx: AppContext,
  shown: Confirmable,
  token: string,
  answer: SideAnswer,
  from: string,
): Promise<boolean> {
  switch (shown.kind) {
    case 'address':
      return confirmAddress(ctx, token, from);
    case 'mail_target':
      return answerTarget(ctx, shown, answer.isConfirmed, from);
    case 'holder_change':
      return answerChange(ctx, linkFingerprint(ctx, token), answer, from);
  }
}

/** The registrant confirms. Every domain of this reseller that waited for the address is released. */
async function confirmAddress(ctx: AppContext, token: string, from: string): Promise<boolean> {
  const freed = await ctx.db.transaction(allTenants, async (tx) => {
    const link = await useLink(tx, linkFingerprint(ctx, token), { now: ctx.clock.now(), address: from });
    return link && verifyAddress(ctx, tx, { ...schedulerFor(link, 'holder'), address: from }, link);
  });
  if (freed) releaseNames(ctx, freed);
  return freed !== undefined;
}
