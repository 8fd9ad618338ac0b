import { z } from 'zod';
import { changeLogo, changeSettings, readSettings, type SettingsChoice } from '../../../core/invoices/settings.ts';
import { childInvoices, invoiceLimits } from '../../../core/model/invoice.ts';
import { FieldRefusal, field, flag, integer, list, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { taxId } from './tax-id-field.ts';

const settingsView = z
  .object({
    name: z.string().describe('Name of the seller.'),
    address: z.array(z.string()),
    country_code: z.string(),
    tax_id: z.string().nullable().describe('Tax id of the seller.'),
    footer: z.string().nullable().describe('Printed on every document, for example payment details.'),
    prefix: z.string().describe('Prefix of invoice numbers.'),
    credit_prefix: z.string().describe('Prefix of credit note numbers.'),
    due_days: z.int().describe('Days until payment is due.'),
    includes_tax: z.boolean().describe('Whether prices for customers include tax.'),
    child_invoices: z.enum(childInvoices).describe('How often sub-resellers get an invoice.'),
    has_logo: z.boolean().describe('Whether there is a logo for the PDF.'),
  })
  .meta({ id: 'InvoiceSettings', description: 'Appearance and numbering of your invoices.' });

function showSettings({ chosen, seller }: SettingsChoice): z.output<typeof settingsView> {
  return {
    name: seller.name,
    address: [...seller.address],
    country_code: seller.country_code,
    tax_id: chosen.tax_id,
    footer: chosen.footer,
    prefix: chosen.prefix,
    credit_prefix: chosen.credit_prefix,
    due_days: chosen.due_days,
    includes_tax: chosen.includes_tax,
    child_invoices: chosen.child_invoices,
    has_logo: chosen.logo_type !== null,
  };
}

const example: z.output<typeof settingsView> = {
  name: 'Example Shop',
  address: ['Jl. Sudirman 1', '10220 Jakarta'],
  country_code: 'ID',
  tax_id: '01.234.567.8-901.000',
  footer: 'Bank Contoh, account 123 456 789',
  prefix: 'INV-{year}-',
  credit_prefix: 'CN-{year}-',
  due_days: 14,
  includes_tax: true,
  child_invoices: 'none',
  has_logo: false,
};

export const readSettingsRoute = route({
  method: 'GET',
  path: '/invoices/settings',
  area: 'billing',
  style: 'own',
  summary: 'Read the invoice settings',
  description: 'Seller, numbering, days until payment is due, and whether prices include tax.',
  input: z.object({}),
  output: settingsView,
  errors: [],
  example: { output: example },
  answer: async (ctx, caller) => showSettings(await readSettings(ctx, caller)),
});

const prefix = (what: string, usual: string) =>
  text({
    max: invoiceLimits.prefixLength,
    about: `Prefix of the numbers of ${what}. {year} is the year of issue; numbers then begin with 1 each year.`,
    example: usual,
    pattern: /^[A-Za-z0-9/._-]*(\{year\}[A-Za-z0-9/._-]*)?$/,
    must: 'can contain letters, digits, / . _ - and {year} once',
  });
const asAccount = 'empty: as in the profile of the account';

export const changeSettingsRoute = route({
  method: 'PUT',
  path: '/invoices/settings',
  sudo: true,
  area: 'billing',
  style: 'own',
  summary: 'Change the invoice settings',
  description: 'Omitted fields stay. Issued documents do not change. Another prefix begins another series, from 1.',
  input: z.object({
    name: text({
      min: 0,
      max: invoiceLimits.nameLength,
      about: `Name of the seller; ${asAccount}.`,
      shown: 'name',
    }).optional(),
    address: list({
      max: invoiceLimits.addressLines,
      about: `Address lines of the seller; ${asAccount}.`,
      example: ['Jl. Sudirman 1', '10220 Jakarta'],
    }).optional(),
    country_code: text({ min: 0, max: 2, about: `Its country; ${asAccount}.`, example: 'ID' }).optional(),
    tax_id: taxId('Tax id of the seller. Empty: none.').nullish(),
    footer: text({
      min: 0,
      max: invoiceLimits.footerLength,
      about: 'Printed on every document. Empty: nothing.',
    }).nullish(),
    prefix: prefix('invoices', 'INV-{year}-').optional(),
    credit_prefix: prefix('credit notes', 'CN-{year}-').optional(),
    due_days: integer({ min: 0, max: 365, about: 'Days until payment is due.', example: 14 }).optional(),
    includes_tax: flag('Whether prices for customers include tax. Otherwise tax is added to their bills.').optional(),
    child_invoices: oneOf(
      childInvoices,
      'monthly: sub-resellers get an invoice after each month, starting with this one.',
    ).optional(),
    has_logo: flag('As read. `PUT /invoices/logo` changes it.').optional(),
  }),
  output: settingsView,
  errors: ['invalid_argument'],
  example: { input: { due_days: 14, tax_id: '01.234.567.8-901.000' }, output: example },
  render: showSettings,
  async answer(ctx, caller, { name, address, country_code, tax_id, footer, has_logo, ...rest }) {
    const changed = await changeSettings(ctx, caller, {
      ...(name === undefined ? {} : { name: name || null }),
      ...(address === undefined ? {} : { address: address.length === 0 ? null : address }),
      ...(country_code === undefined ? {} : { country_code: country_code.toUpperCase() || null }),
      ...(tax_id === undefined ? {} : { tax_id: tax_id || null }),
      ...(footer === undefined ? {} : { footer: footer || null }),
      hasLogo: has_logo,
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    });
    return showSettings(changed);
  },
});

const base64Length = Math.ceil(invoiceLimits.logoBytes / 3) * 4;

const picture = field(
  {
    type: 'string',
    contentEncoding: 'base64',
    maxLength: base64Length,
    description: `A non-interlaced PNG or a JPEG of at most ${invoiceLimits.logoBytes} bytes, as base64. Empty: no logo.`,
  },
  (value) => {
    if (typeof value !== 'string' || value.length > base64Length || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw new FieldRefusal(`Must be an image of at most ${invoiceLimits.logoBytes} bytes, as base64.`);
    return new Uint8Array(Buffer.from(value, 'base64'));
  },
);

export const changeLogoRoute = route({
  method: 'PUT',
  path: '/invoices/logo',
  area: 'billing',
  style: 'own',
  summary: 'Set the logo on your invoices',
  description: 'It appears at the top of every PDF created from now on.',
  input: z.object({ logo: picture }),
  output: settingsView,
  errors: ['invalid_argument'],
  example: { input: { logo: '' }, output: example },
  render: showSettings,
  answer: async (ctx, caller, { logo }) => showSettings(await changeLogo(ctx, caller, logo.length === 0 ? null : logo)),
});
