import { normaliseName } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, write, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import { readEmail } from '../reference/email.ts';
import { ValueProblem } from '../reference/value-problem.ts';
import {
  type AddressAges,
  type Brand,
  brandAddressesSince,
  type ChosenBrand,
  findBrand,
  findChosenBrand,
  findOwnText,
  holdsLiveName,
  listOwnTexts,
  type OwnTextRow,
  removeText,
  saveBrand,
  saveText,
} from './brand.sql.ts';
import { type Composed, compose } from './compose.ts';
import {
  exampleFacts,
  isForAccount,
  type Language,
  languages,
  type NoticeKind,
  noticeKindNames,
  noticeKinds,
  variablesOf,
} from './kinds.ts';
import { nameProblem } from './name-text.ts';
import { tokenMark } from './notice.ts';
import { beforeAndNow, notifyAddressChange } from './notify-address-change.ts';
import { isLinkAlone, readTemplate, requiredFacts, TemplateProblem } from './template.ts';
import { builtInText, type NoticeText } from './texts.ts';

const nothingChosen: ChosenBrand = {
  name: null,
  sender_address: null,
  reply_to: null,
  logo_url: null,
  language: null,
  suppressed: [],
};

/** The choices, and the effective values. */
export interface BrandChoice {
  readonly chosen: ChosenBrand;
  readonly brand: Brand;
}

export async function readBrand(ctx: AppContext, actor: Actor): Promise<BrandChoice> {
  const db = ctx.db.as(actor.resellerId);
  const chosen = (await findChosenBrand(db, actor.resellerId)) ?? nothingChosen;
  return { chosen, brand: await findBrand(db, actor.resellerId) };
}

/** A field that is left out stays unchanged; null removes it. */
export async function changeBrand(ctx: AppContext, actor: Actor, changes: Partial<ChosenBrand>): Promise<BrandChoice> {
  return writeAsService(ctx, actor, async (tx) => {
    const before = (await findChosenBrand(tx, actor.resellerId)) ?? nothingChosen;
    const chosen = { ...before, ...changes };
    for (const kind of chosen.suppressed) refuseNeeded(kind);
    chosen.suppressed = [...new Set(chosen.suppressed)];
    if (changes.name !== undefined && chosen.name !== null) checkName(chosen.name);
    if (chosen.reply_to !== null) checkAddress('replyTo', chosen.reply_to);
    if (chosen.logo_url !== null && !isPictureUrl(chosen.logo_url))
      throw badField('logoUrl', 'Must be the https URL of an image.');
    if (chosen.sender_address !== null && chosen.sender_address !== before.sender_address) {
      checkAddress('senderAddress', chosen.sender_address);
      const name = normaliseName(chosen.sender_address.split('@')[1]!);
      chosen.sender_address = `${chosen.sender_address.split('@')[0]}@${name}`;
      if (!(await holdsLiveName(tx, actor.resellerId, name)))
        throw badField('senderAddress', `Must be an address at an active domain of yours. ${name} is not one.`);
    }
    const since = await brandAddressesSince(tx, actor.resellerId);
    await saveBrand(tx, actor.resellerId, chosen, ctx.clock.now());
    await audit(ctx, tx, actor, {
      action: 'notices.brand',
      objectType: 'reseller',
      objectId: actor.resellerId,
      before,
      after: chosen,
    });
    await notifyRedirected(ctx, tx, actor, before, chosen, since);
    return { chosen, brand: await findBrand(tx, actor.resellerId) };
  });
}

const redirected = {
  reply_to: {
    en: 'The reply-to email of your account was changed',
    id: 'Email balasan akun Anda telah diubah',
  },
  sender_address: {
    en: 'The sender address of your account’s emails was changed',
    id: 'Alamat pengirim email akun Anda telah diubah',
  },
  suppressed: {
    en: 'The list of emails that your account does not send was changed',
    id: 'Daftar email yang tidak dikirim akun Anda telah diubah',
  },
} as const;

/** The account and its owners are notified of changes that can divert or stop mail: replies, sender, or suppressed kinds. */
async function notifyRedirected(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  before: ChosenBrand,
  after: ChosenBrand,
  since: AddressAges,
): Promise<void> {
  const { resellerId } = actor;
  for (const field of ['reply_to', 'sender_address', 'suppressed'] as const) {
    const [was, is] = [before[field], after[field]].map((value) => (Array.isArray(value) ? value.join(', ') : value));
    if ((was ?? '') === (is ?? '')) continue;
    const formerly = field === 'suppressed' ? null : before[field];
    const former = formerly === null || field === 'suppressed' ? null : { email: formerly, since: since[field] };
    const label = beforeAndNow(was, is);
    await notifyAddressChange(ctx, tx, actor, { resellerId, what: redirected[field], label, former });
  }
}

const isPictureUrl = (url: string): boolean => /^https:\/\//.test(url) && URL.canParse(url) && !url.includes(tokenMark);

function checkName(name: string): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw badField('name', problem);
}

function checkAddress(field: string, address: string): void {
  try {
    readEmail(address);
  } catch (error) {
    if (error instanceof ValueProblem) throw badField(field, error.message);
    throw error;
  }
}

function refuseNeeded(kind: string): void {
  const optional = noticeKindNames.filter((each) => noticeKinds[each].isOptional);
  if (!optional.includes(kind as NoticeKind))
    throw badField('suppressed', `${kind} cannot be suppressed. These can: ${optional.join(', ')}.`);
}

export interface ShownText extends OwnTextRow {
  readonly isOwn: boolean;
}

/** All effective texts; custom ones are marked. */
export async function listTexts(ctx: AppContext, actor: Actor): Promise<ShownText[]> {
  const own = await listOwnTexts(ctx.db.as(actor.resellerId), actor.resellerId);
  return noticeKindNames.flatMap((kind) =>
    languages.map((language) => {
      const mine = own.find((text) => text.kind === kind && text.language === language && !isForAccount(kind));
      return { kind, language, ...(mine ?? builtInText(kind, language)), isOwn: mine !== undefined };
    }),
  );
}

function refuseForAccount(kind: NoticeKind): void {
  if (isForAccount(kind))
    throw badField('kind', `The text of ${kind} cannot be changed: it goes to the account itself and its users.`);
}

function checkText(kind: NoticeKind, text: NoticeText): void {
  const [subject, body] = (['subject', 'body'] as const).map((part) => {
    try {
      return requiredFacts(readTemplate(text[part], variablesOf(kind)));
    } catch (error) {
      if (error instanceof TemplateProblem) throw badField(part, error.message);
      throw error;
    }
  }) as [string[], string[]];
  if (!isLinkAlone(text))
    throw badField(
      'body',
      'Must have {{link}} alone on its line, without text, punctuation or another URL, and not in the subject.',
    );
  const { facts, isOptional } = noticeKinds[kind];
  if (isOptional) return;
  for (const [word, why] of Object.entries(requiredLinks)) {
    if (!(facts as readonly string[]).includes(word)) continue;
    const isIncluded = body.includes(word) || (word !== 'link' && subject.includes(word));
    if (!isIncluded) throw badField('body', `Must contain {{${word}}} outside of every condition: ${why}.`);
  }
}

/** Content that policy requires in a notice, whatever its custom text is. */
const requiredLinks: Readonly<Record<string, string>> = {
  link: 'the recipient needs it to confirm',
  domain: 'it names the domain',
  record: 'it shows the registration data',
  what: 'it says what happened',
};

export async function changeText(ctx: AppContext, actor: Actor, row: OwnTextRow): Promise<ShownText> {
  refuseForAccount(row.kind);
  checkText(row.kind, row);
  return write(ctx, actor, async (tx) => {
    const before = (await findOwnText(tx, actor.resellerId, row.kind, row.language)) ?? null;
    await saveText(tx, actor.resellerId, row, ctx.clock.now());
    await audit(ctx, tx, actor, {
      action: 'notices.text',
      objectType: 'notice_text',
      objectId: `${row.kind}/${row.language}`,
      before,
      after: row,
    });
    return { ...row, isOwn: true };
  });
}

/** Restores the default text. */
export async function resetText(
  ctx: AppContext,
  actor: Actor,
  kind: NoticeKind,
  language: Language,
): Promise<ShownText> {
  return write(ctx, actor, async (tx) => {
    const before = await findOwnText(tx, actor.resellerId, kind, language);
    if (!before || !(await removeText(tx, actor.resellerId, kind, language)))
      throw new Refusal('not_found', 'There is no custom text for this kind and language.');
    await audit(ctx, tx, actor, {
      action: 'notices.text_reset',
      objectType: 'notice_text',
      objectId: `${kind}/${language}`,
      before,
    });
    return { kind, language, ...builtInText(kind, language), isOwn: false };
  });
}

interface Preview extends Composed {
  readonly from: string;
  readonly replyTo: string;
}

/** A preview of a text with sample facts; a draft is not stored. */
export async function previewText(
  ctx: AppContext,
  actor: Actor,
  wanted: { readonly kind: NoticeKind; readonly language: Language; readonly draft: Partial<NoticeText> },
): Promise<Preview> {
  const db = ctx.db.as(actor.resellerId);
  const { kind, language } = wanted;
  if (wanted.draft.subject !== undefined || wanted.draft.body !== undefined) refuseForAccount(kind);
  const stored = (await findOwnText(db, actor.resellerId, kind, language)) ?? builtInText(kind, language);
  const text = { subject: wanted.draft.subject ?? stored.subject, body: wanted.draft.body ?? stored.body };
  checkText(kind, text);
  const brand = await findBrand(db, actor.resellerId);
  const composed = compose(kind, text, exampleFacts, { language, brand });
  return { ...composed, from: brand.sender_address ?? ctx.config.mailFrom, replyTo: brand.reply_to };
}
