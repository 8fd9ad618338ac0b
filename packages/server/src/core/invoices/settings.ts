import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, inEntry } from '../errors.ts';
import { type InvoiceParty, invoiceLimits } from '../model/invoice.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import { isCountry } from '../reference/country.ts';
import { readLogo } from './logo.ts';
import { monthOf } from './month.ts';
import { wantMonths } from './months.sql.ts';
import { shareSeries } from './number.ts';
import {
  findSeller,
  findSettings,
  type InvoiceSettings,
  replaceTaxRates,
  saveLogo,
  saveSettings,
  selectTaxRates,
  seriesOfKind,
} from './settings.sql.ts';
import type { TaxRate } from './tax.ts';

/** The choices, and the resulting seller data on documents. */
export interface SettingsChoice {
  readonly chosen: InvoiceSettings;
  readonly seller: InvoiceParty;
}

export async function readSettings(ctx: AppContext, actor: Actor): Promise<SettingsChoice> {
  const db = ctx.db.as(actor.resellerId);
  const chosen = await findSettings(db, actor.resellerId);
  return { chosen, seller: await findSeller(db, actor.resellerId, chosen) };
}

type SettingsChanges = Partial<Omit<InvoiceSettings, 'logo_type'>> & {
  /** The value that was read. */
  readonly hasLogo?: boolean | undefined;
};

/** Fields that are left out stay unchanged. Issued documents keep their content. */
export async function changeSettings(
  ctx: AppContext,
  actor: Actor,
  { hasLogo, ...changes }: SettingsChanges,
): Promise<SettingsChoice> {
  return write(ctx, actor, async (tx) => {
    const before = await findSettings(tx, actor.resellerId);
    const chosen = { ...before, ...changes };
    if (hasLogo !== undefined && hasLogo !== (before.logo_type !== null))
      throw badField('hasLogo', 'The logo is not changed with the settings. It has its own call.');
    if (chosen.country_code !== null && !isCountry(chosen.country_code))
      throw badField('countryCode', 'Must be an ISO 3166-1 code such as ID.');
    for (const line of chosen.address ?? [])
      if (line.length > invoiceLimits.addressLineLength)
        throw badField(
          'address',
          `Each line can have at most ${invoiceLimits.addressLineLength} characters.`,
          'too_long',
        );
    const apart = 'invoices and credit notes are numbered separately';
    if (shareSeries(chosen.prefix, chosen.credit_prefix))
      throw badField('creditPrefix', `Must differ from prefix in every year: ${apart}.`);
    for (const [field, kind, prefix] of [
      ['prefix', 'credit_note', chosen.prefix],
      ['creditPrefix', 'invoice', chosen.credit_prefix],
    ] as const) {
      const taken = (await seriesOfKind(tx, actor.resellerId, kind)).find((series) => shareSeries(prefix, series));
      if (taken !== undefined) throw badField(field, `${taken} is a number series of the other kind: ${apart}.`);
    }
    const now = ctx.clock.now();
    await saveSettings(tx, actor.resellerId, chosen, now);
    if (changes.child_invoices) await wantMonths(tx, actor.resellerId, changes.child_invoices, monthOf(now));
    await audit(ctx, tx, actor, {
      action: 'invoices.settings',
      objectType: 'reseller',
      objectId: actor.resellerId,
      before,
      after: chosen,
    });
    if (payeeFields.some((field) => JSON.stringify(before[field]) !== JSON.stringify(chosen[field])))
      await notifyAccessChange(ctx, tx, actor, {
        resellerId: actor.resellerId,
        topic: 'payment_details',
        what: payeeChanged,
        label: null,
      });
    return { chosen, seller: await findSeller(tx, actor.resellerId, chosen) };
  });
}

/** Users are notified of changes to the payee and payment details on invoices: bank details are in the footer. */
const payeeFields = ['name', 'address', 'country_code', 'tax_id', 'footer'] as const;
const payeeChanged = {
  en: 'The seller or the payment details on your invoices were changed',
  id: 'Data penjual atau rincian pembayaran pada tagihan Anda telah diubah',
};

/** Null: removes it. */
export async function changeLogo(ctx: AppContext, actor: Actor, octets: Uint8Array | null): Promise<SettingsChoice> {
  const logo = octets && (await readLogo(octets));
  return write(ctx, actor, async (tx) => {
    const before = await findSettings(tx, actor.resellerId);
    await saveLogo(tx, actor.resellerId, logo, ctx.clock.now());
    const chosen = { ...before, logo_type: logo?.type ?? null };
    await audit(ctx, tx, actor, {
      action: 'invoices.logo',
      objectType: 'reseller',
      objectId: actor.resellerId,
      before: { logo_type: before.logo_type },
      after: { logo_type: chosen.logo_type, bytes: logo?.octets.length ?? 0 },
    });
    return { chosen, seller: await findSeller(tx, actor.resellerId, chosen) };
  });
}

export async function readTaxes(ctx: AppContext, actor: Actor): Promise<TaxRate[]> {
  return selectTaxRates(ctx.db.as(actor.resellerId), actor.resellerId);
}

/** Replaces the whole table. Issued documents stay unchanged. */
export async function setTaxes(ctx: AppContext, actor: Actor, rows: readonly TaxRate[]): Promise<TaxRate[]> {
  if (rows.length > invoiceLimits.taxRates)
    throw badField('rates', `Must have at most ${invoiceLimits.taxRates} rates.`, 'too_many');
  for (const [place, row] of rows.entries()) inEntry('rates', place, () => checkRate(row, rows.slice(0, place)));
  return write(ctx, actor, async (tx) => {
    const before = await selectTaxRates(tx, actor.resellerId);
    await replaceTaxRates(tx, actor.resellerId, rows);
    const after = await selectTaxRates(tx, actor.resellerId);
    await audit(ctx, tx, actor, {
      action: 'invoices.taxes',
      objectType: 'reseller',
      objectId: actor.resellerId,
      before: { rates: before },
      after: { rates: after },
    });
    return after;
  });
}

function checkRate(row: TaxRate, earlier: readonly TaxRate[]): void {
  const { country_code, buyer, valid_from, valid_until } = row;
  if (country_code !== null && !isCountry(country_code))
    throw badField(
      'countryCode',
      'Must be an ISO 3166-1 code such as ID. Without one, the rate is for all other countries.',
    );
  if (valid_until !== null && valid_until < valid_from) throw badField('validUntil', 'Must not be before valid_from.');
  const last = valid_until ?? '9999-12-31';
  const twice = earlier.find(
    (each) =>
      each.country_code === country_code &&
      each.buyer === buyer &&
      each.valid_from <= last &&
      valid_from <= (each.valid_until ?? '9999-12-31'),
  );
  if (twice)
    throw badField(
      'validFrom',
      `There is another rate for the same buyers from ${twice.valid_from} on. End this one before that date.`,
    );
}
