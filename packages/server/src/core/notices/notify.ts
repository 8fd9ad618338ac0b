import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { asciiAddress } from '../reference/email.ts';
import { findBrand, findBrandAbove, findOwnText } from './brand.sql.ts';
import { type MailBudget, mailBudgetFor, type NoticePurpose } from './ceiling.ts';
import { compose } from './compose.ts';
import { type FactsOf, type FactValue, isForAccount, type Language, type NoticeKind, noticeKinds } from './kinds.ts';
import { nameText } from './name-text.ts';
import { insertNotice, wasMailed } from './notice.sql.ts';
import { managesRegistrants } from './recipient.sql.ts';
import type { RecipientRow } from './recipient.ts';
import { isLimitPurpose, isSecurityTopic, limitReached } from './security-topics.ts';
import { isLinkAlone } from './template.ts';
import { builtInText } from './texts.ts';

/** A former address that was in place for less time gets no warning, because no mail was received there. */
const formerAddressHours = 24;

/** A kind with its facts. */
export type NoticeContent = {
  [K in NoticeKind]: {
    readonly kind: K;
    readonly facts: FactsOf<K>;
    /** Replaces its placeholder in the link when the mail is sent; stored encrypted until then. */
    readonly token?: string;
  };
}[NoticeKind];

export type NewNotice = NoticeContent & {
  readonly resellerId: string;
  readonly to: RecipientRow;
  readonly domainId?: string;
  /** Mail of one kind with a budget of its own. */
  readonly purpose?: NoticePurpose;
  /** Mail with the same key is sent once a day. */
  readonly foldKey?: string | undefined;
  /** Since when a former address was in place. */
  readonly inPlaceSince?: Date | null;
  /** The answer says that it is mailed: over a budget the call is refused. `field`: the field of the request with the address. */
  readonly promised?: { readonly field?: string };
};

const overLimit = {
  account: 'The account has sent as many mails of this kind as it may in a day.',
  mailbox: 'This mailbox was sent as many mails of this kind as are allowed in a day.',
};

function notMailed(ceiling: keyof typeof overLimit, { retryAfterSeconds }: MailBudget, field?: string): Refusal {
  const message = `${overLimit[ceiling]} No mail was sent. Try again later.`;
  const errors = field === undefined ? {} : { errors: [{ field, code: 'rate_limited', message }] };
  return new Refusal('rate_limited', message, { ...errors, retryAfterSeconds: retryAfterSeconds ?? 1 });
}

/**
 * Registrants whose reseller contacts them itself are notified by that reseller. Mails whose link is the only way to carry out a change
 * are still sent.
 */
const isLeftToReseller = async (tx: Tx, kind: NoticeKind, resellerId: string): Promise<boolean> =>
  noticeKinds[kind].audience === 'holder' &&
  kind !== 'holder_change_asked' &&
  (await managesRegistrants(tx, resellerId));

const isLongInPlace = (ctx: AppContext, since: Date | null | undefined): boolean =>
  since !== undefined && since !== null && ctx.wall.now().getTime() - since.getTime() > formerAddressHours * 3_600_000;

export const languageOf = (chosen: Language | null, to: RecipientRow): Language =>
  to.language ?? chosen ?? (to.country_code === 'ID' ? 'id' : 'en');

/**
 * Writes a notice in the transaction of its cause: it is sent if, and only if, the transaction commits. The job `send-notices` sends it
 * afterwards. Undefined: the reseller sends this kind itself, where policy allows.
 */
export async function notify(ctx: AppContext, tx: Tx, notice: NewNotice): Promise<string | undefined> {
  const { kind, resellerId, to } = notice;
  if (await isLeftToReseller(tx, kind, resellerId)) return undefined;
  const isToOwner = isForAccount(kind);
  const brand = await (isToOwner ? findBrandAbove : findBrand)(tx, resellerId);
  if (noticeKinds[kind].isOptional && brand.suppressed.includes(kind)) return undefined;
  const language = languageOf(brand.language, to);
  const own = isToOwner ? undefined : await findOwnText(tx, resellerId, kind, language);
  // A custom text that was stored before this rule could lead the link elsewhere.
  const written = own && isLinkAlone(own) ? own : builtInText(kind, language);
  const { purpose, inPlaceSince, foldKey } = notice;
  if (foldKey !== undefined && (await wasMailed(tx, resellerId, foldKey))) return undefined;
  const address = asciiAddress(to.email);
  const budget = await mailBudgetFor(ctx, tx, { resellerId, address, kind, purpose });
  const { ceiling, isProven } = budget;
  if (ceiling !== null && notice.promised) throw notMailed(ceiling, budget, notice.promised.field);
  if (ceiling !== null && isLimitPurpose(purpose)) return undefined;
  if (purpose === 'former_address' && !isProven && !isLongInPlace(ctx, inPlaceSince)) return undefined;
  // An account chooses its names. An unconfirmed address may belong to someone else, who could take such a name for text of the service.
  const recipient = (isToOwner && !isProven ? undefined : nameText(to.name)) ?? to.email;
  const facts = { ...notice.facts, recipient } as Record<string, FactValue | null>;
  const { subject, text, html } = compose(kind, written, facts, { language, brand });
  const id = ctx.ids.next('ntc');
  const row = {
    id,
    reseller_id: resellerId,
    kind,
    domain_id: notice.domainId ?? null,
    contact_id: to.id ?? null,
    address,
    recipient,
    language,
    sender_name: nameText(brand.name) ?? '',
    sender_address: brand.sender_address,
    reply_to: brand.reply_to,
    subject,
    body_text: text,
    body_html: html,
    created_at: ctx.clock.now(),
    // Over a budget it is written all the same, so that the account sees it; the job ends it without sending.
    suppressed_by: ceiling,
    purpose: purpose ?? null,
    fold_key: foldKey ?? null,
    is_proven: isProven,
    secret_sealed:
      ceiling !== null || notice.token === undefined ? null : ctx.vault.encrypt(notice.token, `notice:${id}`),
  };
  await insertNotice(tx, row);
  if (ceiling !== null) await notifyLimitReached(ctx, tx, notice);
  return id;
}

/** The recipient must know that warnings stop: a thief could use up the limit before the change that matters. */
async function notifyLimitReached(ctx: AppContext, tx: Tx, notice: NewNotice): Promise<void> {
  const { kind, facts, resellerId, to, purpose } = notice;
  if (kind !== 'account_security' || !isSecurityTopic(purpose)) return;
  const { at, address } = facts;
  const reached = { ...limitReached(purpose), at: at ?? null, address: address ?? null };
  await notify(ctx, tx, { kind, facts: reached, resellerId, to, purpose: `limit:${purpose}` });
}
