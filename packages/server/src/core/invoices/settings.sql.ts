import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { ChildInvoices, InvoiceParty, Logo } from '../model/invoice.ts';
import { noState } from '../reference/state.ts';
import type { TaxRate } from './tax.ts';

/** The chosen values; null: the value of the account. */
export interface InvoiceSettings {
  readonly name: string | null;
  readonly address: readonly string[] | null;
  readonly country_code: string | null;
  readonly tax_id: string | null;
  readonly footer: string | null;
  readonly prefix: string;
  readonly credit_prefix: string;
  readonly due_days: number;
  readonly includes_tax: boolean;
  /** How often sub-resellers get an invoice. */
  readonly child_invoices: ChildInvoices;
  readonly logo_type: string | null;
}

const usualSettings: InvoiceSettings = {
  name: null,
  address: null,
  country_code: null,
  tax_id: null,
  footer: null,
  prefix: 'INV-{year}-',
  credit_prefix: 'CN-{year}-',
  due_days: 14,
  includes_tax: true,
  child_invoices: 'none',
  logo_type: null,
};

export async function findSettings(db: Reader, resellerId: string): Promise<InvoiceSettings> {
  const row = await db.maybe<InvoiceSettings>(sql`
    select name, address, country_code, tax_id, footer, prefix, credit_prefix, due_days, includes_tax, logo_type,
      case when exists (select from invoice_months m where m.reseller_id = s.reseller_id and m.until is null) then 'monthly' else 'none' end as child_invoices
    from invoice_settings s where reseller_id = ${resellerId}`);
  return row ?? usualSettings;
}

export async function saveSettings(tx: Tx, resellerId: string, s: InvoiceSettings, now: Date): Promise<void> {
  await tx.run(sql`
    insert into invoice_settings (reseller_id, name, address, country_code, tax_id, footer, prefix, credit_prefix, due_days, includes_tax, updated_at)
    values (${resellerId}, ${s.name}, ${s.address}, ${s.country_code}, ${s.tax_id}, ${s.footer}, ${s.prefix}, ${s.credit_prefix}, ${s.due_days},
            ${s.includes_tax}, ${now})
    on conflict (reseller_id) do update set name = excluded.name, address = excluded.address, country_code = excluded.country_code,
      tax_id = excluded.tax_id, footer = excluded.footer, prefix = excluded.prefix, credit_prefix = excluded.credit_prefix,
      due_days = excluded.due_days, includes_tax = excluded.includes_tax, updated_at = excluded.updated_at`);
}

/** Number series used for documents of this kind: few, one for each prefix and year. */
export async function seriesOfKind(db: Reader, resellerId: string, kind: 'invoice' | 'credit_note'): Promise<string[]> {
  const rows = await db.many<{ series: string }>(sql`
    select s.series from invoice_series s where s.reseller_id = ${resellerId} and exists (
      select from invoice i where i.reseller_id = s.reseller_id and i.series = s.series and i.place = 1 and i.kind = ${kind})`);
  return rows.map(({ series }) => series);
}

/** The logo printed on every document: readable by the seller and its customers only. */
export async function findLetterhead(
  db: Reader,
  resellerId: string,
): Promise<{ readonly footer: string | null; readonly logo: Logo | null }> {
  const row = await db.maybe<{ footer: string | null; logo: Uint8Array | null; logo_type: string | null }>(
    sql`select footer, logo, logo_type from invoice_letterhead(${resellerId})`,
  );
  const logo = row?.logo && row.logo_type ? { octets: row.logo, type: row.logo_type } : null;
  return { footer: row?.footer ?? null, logo };
}

export async function saveLogo(tx: Tx, resellerId: string, logo: Logo | null, now: Date): Promise<void> {
  await tx.run(sql`
    insert into invoice_settings (reseller_id, logo, logo_type, updated_at) values (${resellerId}, ${logo?.octets ?? null}, ${logo?.type ?? null}, ${now})
    on conflict (reseller_id) do update set logo = excluded.logo, logo_type = excluded.logo_type, updated_at = excluded.updated_at`);
}

export async function selectTaxRates(db: Reader, resellerId: string): Promise<TaxRate[]> {
  return db.many<TaxRate>(sql`
    select country_code, buyer, name, rate, note, valid_from, valid_until from tax_rate where reseller_id = ${resellerId}
    order by country_code nulls last, buyer, valid_from`);
}

export async function replaceTaxRates(tx: Tx, resellerId: string, rows: readonly TaxRate[]): Promise<void> {
  await tx.run(sql`delete from tax_rate where reseller_id = ${resellerId}`);
  await tx.run(sql`
    insert into tax_rate (reseller_id, country_code, buyer, name, rate, note, valid_from, valid_until)
    select ${resellerId}, r.country_code, r.buyer, r.name, r.rate, r.note, r.valid_from, r.valid_until
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (country_code text, buyer text, name text, rate integer, note text, valid_from date, valid_until date)`);
}

interface PartyRow {
  readonly name: string;
  readonly company: string;
  readonly street: readonly string[];
  readonly city: string;
  readonly state: string;
  readonly zipcode: string;
  readonly country_code: string;
  readonly email: string;
  readonly tax_id: string | null;
}

const partyParts = sql.raw(
  `name, coalesce(company, '') as company, array[address_line_1, address_line_2, address_line_3] as street, city, state, zipcode, country_code, email`,
);

function partyOf(row: PartyRow): InvoiceParty {
  const place = [row.zipcode, row.city].filter(Boolean).join(' ');
  const hasCompany = row.company !== '' && row.company !== noState && row.company !== row.name;
  // "Not Applicable" is the value for none and is not printed.
  const isPrinted = (line: string | null) => (line ?? '') !== '' && line !== noState;
  const address = [hasCompany ? row.name : '', ...row.street, place, row.state].filter(isPrinted);
  const name = hasCompany ? row.company : row.name;
  return { name, address, country_code: row.country_code, tax_id: row.tax_id, email: row.email };
}

/** Includes deleted accounts. */
export async function findBuyer(db: Reader, resellerId: string, customerId: string): Promise<InvoiceParty> {
  const row = await db.one<PartyRow>(
    sql`select ${partyParts}, tax_id from customer where id = ${customerId} and reseller_id = ${resellerId}`,
  );
  return partyOf(row);
}

/** The account with its choices for documents. */
export async function findSeller(db: Reader, resellerId: string, chosen: InvoiceSettings): Promise<InvoiceParty> {
  const row = await db.one<PartyRow>(
    sql`select ${partyParts}, null::text as tax_id from reseller where id = ${resellerId}`,
  );
  const own = partyOf(row);
  return {
    name: chosen.name ?? own.name,
    address: chosen.address ?? own.address,
    country_code: chosen.country_code ?? own.country_code,
    tax_id: chosen.tax_id,
    email: own.email,
  };
}
