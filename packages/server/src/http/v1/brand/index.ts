import { z } from 'zod';
import {
  type BrandChoice,
  brandVersion,
  changeBrand,
  changeLogo,
  readBrand,
  removeBrand,
  shownBrand,
} from '../../../core/brands/brand.ts';
import { mostLogoBytes } from '../../../core/brands/logo.ts';
import { versionOf } from '../../../core/version.ts';
import { id, text } from '../../field.ts';
import { type Route, route } from '../../route.ts';
import { withCoreNames } from '../common/field-names.ts';
import { expectedVersion, withVersion } from '../common/if-match.ts';
import { showBrand, shownBrandView, shownExample } from './brand-view.ts';
import { hostRoutes } from './hosts.ts';

const ownView = shownBrandView.extend({
  colour: z.string().nullable().describe('Of letters and buttons on light pages.'),
  colour_dark: z.string().nullable().describe('The same on dark pages.'),
});

const brandView = z
  .object({
    own: ownView.nullable().describe('What the account has chosen; null: nothing.'),
    shown: shownBrandView.nullable().describe('What its pages show: its own, or that of the nearest account above.'),
  })
  .meta({ id: 'Brand', description: 'How the pages of the account look to its people and its customers.' });

const show = ({ own, shown }: BrandChoice): z.output<typeof brandView> => ({
  own: own ? { ...showBrand(own), colour: own.colour, colour_dark: own.colour_dark } : null,
  shown: shown ? showBrand(shown) : null,
});

const example: z.output<typeof brandView> = {
  own: { ...shownExample, colour: '#0b5d4e', colour_dark: '#7ad3c0' },
  shown: shownExample,
};

const base = { area: 'account', style: 'own' } as const;
const writeErrors = ['idempotency_in_flight', 'idempotency_mismatch'] as const;
const empty = 'empty: none';

const readRoute = route({
  ...base,
  method: 'GET',
  path: '/brand',
  hasETag: true,
  summary: 'Read how your pages look',
  description:
    'Name, picture, colours and whom to ask, as your people and your customers see them. `ETag` is the version of what you have chosen, for If-Match.',
  input: z.object({}),
  output: brandView,
  errors: [],
  example: { output: example },
  async answer(ctx, caller) {
    const brand = await readBrand(ctx, caller);
    return withVersion(show(brand), versionOf(brandVersion(brand.own)));
  },
});

const changeRoute = route({
  ...base,
  method: 'PUT',
  path: '/brand',
  summary: 'Choose how your pages look',
  description:
    'What is left out stays. With If-Match only while it is as you read it; otherwise 412. Accounts below you that have chosen nothing look the same. A colour that would be hard to read (under 4.5:1) is refused with the nearest that passes; without `colour_dark` it is the nearest of `colour`.',
  input: z.object({
    name: text({ max: 60, about: 'Name.', example: 'Example Shop', shown: 'name' }).optional(),
    support: text({ min: 0, max: 200, about: `Whom people ask for help; ${empty}.` }).optional(),
    colour: text({ min: 0, max: 20, about: `As #2a4fd0; ${empty}.`, example: '#0b5d4e' }).optional(),
    colour_dark: text({ min: 0, max: 20, about: 'The same on dark pages.', example: '#7ad3c0' }).optional(),
  }),
  output: brandView,
  errors: ['precondition_failed', ...writeErrors],
  example: {
    input: { name: 'Example Shop', support: 'help@example-shop.com', colour: '#0b5d4e' },
    output: example,
  },
  render: show,
  answer: async (ctx, caller, input) =>
    show(await changeBrand(ctx, caller, { ...withCoreNames(input), expected: expectedVersion(caller) })),
});

const removeRoute = route({
  ...base,
  method: 'DELETE',
  path: '/brand',
  summary: 'Look as the account above',
  description: 'Takes name, picture and colours away.',
  input: z.object({}),
  output: z.object({ removed: z.boolean().describe('Always true.') }),
  errors: ['not_found', ...writeErrors],
  example: { output: { removed: true }, first: 'a brand must have been chosen' },
  render: () => ({ removed: true }),
  async answer(ctx, caller) {
    await removeBrand(ctx, caller);
    return { removed: true };
  },
});

/** In base64, with some room: what is too large is told by its own words. */
const mostText = Math.ceil(mostLogoBytes / 3) * 8;

const logoRoute = route({
  ...base,
  method: 'PUT',
  path: '/brand/logo',
  summary: 'Set the picture of your pages',
  description: 'PNG, WebP or SVG, 64 KiB at most; what it is, is told by its bytes. A brand must have been chosen.',
  input: z.object({
    data: text({
      min: 0,
      max: mostText,
      about: 'The picture in base64; empty: none.',
      pattern: /^[A-Za-z0-9+/]*={0,2}$/,
      must: 'must be base64',
    }),
  }),
  output: brandView,
  errors: writeErrors,
  example: { input: { data: '' }, output: example, first: 'a brand must have been chosen' },
  render: show,
  answer: async (ctx, caller, { data }) =>
    show(await changeLogo(ctx, caller, data === '' ? undefined : Buffer.from(data, 'base64'))),
});

const shownRoute = route({
  area: 'people',
  scope: null,
  style: 'own',
  forUsers: true,
  isPublic: true,
  isNoGuess: true,
  method: 'GET',
  path: '/brand/shown',
  summary: 'Read how the pages of an account look',
  description:
    'For pages where nobody has signed in yet. Of an account that is not there, or none: how the installation looks. At a verified host of an account it is that account, whatever is asked.',
  input: z.object({ reseller_id: id('Id of the account.').optional() }),
  output: z.object({
    brand: shownBrandView.nullable().describe('Null: nobody has chosen anything.'),
    host_reseller_id: z.string().nullable().describe('Whose host this is: its customers sign in here. Null: nobody’s.'),
  }),
  errors: [],
  example: {
    input: { reseller_id: '1000' },
    output: { brand: shownExample, host_reseller_id: null },
    first: 'ask from a page or a program; the tester sends no cookies',
  },
  async answer(ctx, _caller, input) {
    const host_reseller_id = ctx.brandHost?.resellerId ?? null;
    const row = await shownBrand(ctx, host_reseller_id ?? input.reseller_id ?? null);
    return { brand: row ? showBrand(row) : null, host_reseller_id };
  },
});

export const brandRoutes: readonly Route[] = [
  readRoute,
  changeRoute,
  removeRoute,
  logoRoute,
  shownRoute,
  ...hostRoutes,
];
