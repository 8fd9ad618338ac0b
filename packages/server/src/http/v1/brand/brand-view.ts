import { z } from 'zod';
import type { BrandRow } from '../../../core/brands/brand.ts';

export const shownBrandView = z
  .object({
    name: z.string().describe('Shown in place of the product name.'),
    support: z.string().nullable().describe('Contact for support.'),
    css_path: z.string().nullable().describe('Path of the style sheet with its colours.'),
    logo_path: z.string().nullable().describe('Path of the logo.'),
  })
  .meta({ id: 'ShownBrand', description: 'Appearance of the pages.' });

const cssPath = (colour: string, dark: string) => `/app/brand/${colour.slice(1)}-${dark.slice(1)}.css`;

export const showBrand = (row: BrandRow): z.output<typeof shownBrandView> => ({
  name: row.name,
  support: row.support,
  css_path: row.colour && row.colour_dark ? cssPath(row.colour, row.colour_dark) : null,
  logo_path: row.logo_hash ? `/app/brand/${row.logo_hash}.${row.logo_type}` : null,
});

export const shownExample: z.output<typeof shownBrandView> = {
  name: 'Example Shop',
  support: 'help@example-shop.com',
  css_path: '/app/brand/0b5d4e-7ad3c0.css',
  logo_path: '/app/brand/5f70bf18a086007016e948b04aed3b82.svg',
};
