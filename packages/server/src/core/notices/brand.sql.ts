import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Language, NoticeKind } from './kinds.ts';
import type { NoticeText } from './texts.ts';

/** The branding of a reseller's mail: its own choices, else the data of its account. */
export interface Brand {
  readonly name: string;
  readonly sender_address: string | null;
  readonly reply_to: string;
  readonly logo_url: string | null;
  /** Null: by the country of the recipient. */
  readonly language: Language | null;
  readonly suppressed: string[];
}

/** The own sender counts while its domain is a live domain of the reseller: no reseller can send in another's name. */
const isOwnSender = sql.raw(
  `exists (select from domain d where d.reseller_id = b.reseller_id and d.name = split_part(b.sender_address, '@', 2) and d.state = 'live')`,
);

/** The name chosen for mail, else that of the account's pages. The function `brand_above` has the same order. */
export async function findBrand(db: Reader, resellerId: string): Promise<Brand> {
  return db.one<Brand>(sql`
    select coalesce(b.name, w.name, nullif(r.brand_name, ''), nullif(nullif(r.company, ''), 'Not Applicable'), r.name) as name,
      case when ${isOwnSender} then b.sender_address end as sender_address, coalesce(b.reply_to, r.email) as reply_to,
      b.logo_url, b.language, coalesce(b.suppressed, '{}') as suppressed
    from reseller r left join notice_brand b on b.reseller_id = r.id left join brand w on w.reseller_id = r.id
    where r.id = ${resellerId}`);
}

/** The branding of mail to the account itself: sent in the name of the account above it. */
export async function findBrandAbove(db: Reader, resellerId: string): Promise<Brand> {
  return db.one<Brand>(sql`
    select a.name, a.sender_address, a.reply_to, a.logo_url, b.language, coalesce(b.suppressed, '{}') as suppressed
    from brand_above(${resellerId}) a left join notice_brand b on b.reseller_id = ${resellerId}`);
}

/** The reseller's own choices; null: none. */
export interface ChosenBrand {
  readonly name: string | null;
  readonly sender_address: string | null;
  readonly reply_to: string | null;
  readonly logo_url: string | null;
  readonly language: Language | null;
  readonly suppressed: string[];
}

export async function findChosenBrand(db: Reader, resellerId: string): Promise<ChosenBrand | undefined> {
  return db.maybe<ChosenBrand>(sql`
    select name, sender_address, reply_to, logo_url, language, suppressed from notice_brand where reseller_id = ${resellerId}`);
}

/** Since when each chosen address is in place. */
export interface AddressAges {
  readonly reply_to: Date | null;
  readonly sender_address: Date | null;
}

export async function brandAddressesSince(db: Reader, resellerId: string): Promise<AddressAges> {
  const row = await db.maybe<AddressAges>(sql`
    select reply_to_since as reply_to, sender_address_since as sender_address from notice_brand where reseller_id = ${resellerId}`);
  return row ?? { reply_to: null, sender_address: null };
}

export async function saveBrand(tx: Tx, resellerId: string, row: ChosenBrand, now: Date): Promise<void> {
  await tx.run(sql`
    insert into notice_brand (reseller_id, name, sender_address, reply_to, logo_url, language, suppressed, updated_at)
    values (${resellerId}, ${row.name}, ${row.sender_address}, ${row.reply_to}, ${row.logo_url}, ${row.language}, ${row.suppressed}, ${now})
    on conflict (reseller_id) do update set name = excluded.name, sender_address = excluded.sender_address, reply_to = excluded.reply_to,
      logo_url = excluded.logo_url, language = excluded.language, suppressed = excluded.suppressed, updated_at = excluded.updated_at`);
}

export async function holdsLiveName(db: Reader, resellerId: string, name: string): Promise<boolean> {
  const { held } = await db.one<{ held: boolean }>(sql`
    select exists (select from domain where reseller_id = ${resellerId} and name = ${name} and state = 'live') as held`);
  return held;
}

export async function findOwnText(
  db: Reader,
  resellerId: string,
  kind: NoticeKind,
  language: Language,
): Promise<NoticeText | undefined> {
  return db.maybe<NoticeText>(sql`
    select subject, body from notice_text where reseller_id = ${resellerId} and kind = ${kind} and language = ${language}`);
}

export interface OwnTextRow extends NoticeText {
  readonly kind: NoticeKind;
  readonly language: Language;
}

export async function listOwnTexts(db: Reader, resellerId: string): Promise<OwnTextRow[]> {
  return db.many<OwnTextRow>(sql`
    select kind, language, subject, body from notice_text where reseller_id = ${resellerId} order by kind, language`);
}

export async function saveText(tx: Tx, resellerId: string, row: OwnTextRow, now: Date): Promise<void> {
  await tx.run(sql`
    insert into notice_text (reseller_id, kind, language, subject, body, updated_at)
    values (${resellerId}, ${row.kind}, ${row.language}, ${row.subject}, ${row.body}, ${now})
    on conflict (reseller_id, kind, language) do update set subject = excluded.subject, body = excluded.body, updated_at = excluded.updated_at`);
}

export async function removeText(tx: Tx, resellerId: string, kind: NoticeKind, language: Language): Promise<boolean> {
  const gone = await tx.run(sql`
    delete from notice_text where reseller_id = ${resellerId} and kind = ${kind} and language = ${language}`);
  return gone === 1;
}
