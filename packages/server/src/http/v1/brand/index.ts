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
  colour: z.string().nullable().describe('Colour of text and buttons on light pages.'),
  colour_dark: z.string().nullable().describe('The same on dark pages.'),
});

const brandView = z
  .object({
    own: ownView.nullable().describe('The settings of the account. Null: none.'),
    shown: shownBrandView
      .nullable()
      .describe('The brand on its pages: its own, or that of the nearest account above it.'),
  })
  .meta({ id: 'Brand', description: 'Appearance of the pages for the users and customers of the account.' });

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
  summary: 'Read your brand',
  description:
    'Name, logo, colours and support contact, as your users and customers see them. `ETag` is the version of your settings, for If-Match.',
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
  summary: 'Change your brand',
  description:
    'Omitted fields stay. With If-Match, the change is made only if the brand is as you read it; otherwise 412. Accounts below you without their own settings look the same. A colour with a contrast under 4.5:1 is refused; the message has the nearest valid one. Without `colour_dark`, the nearest valid one of `colour` is used.',
  input: z.object({
    name: text({ max: 60, about: 'Name.', example: 'Example Shop', shown: 'name' }).optional(),
    support: text({ min: 0, max: 200, about: `Contact for support; ${empty}.` }).optional(),
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
  summary: 'Remove your brand',
  description: 'Removes name, logo and colours. The pages then look like those of the account above.',
  input: z.object({}),
  output: z.object({ removed: z.boolean().describe('Always true.') }),
  errors: ['not_found', ...writeErrors],
  example: { output: { removed: true }, first: 'requires brand settings' },
  render: () => ({ removed: true }),
  async answer(ctx, caller) {
    await removeBrand(ctx, caller);
    return { removed: true };
  },
});

/** Base64, with some tolerance, so that a larger file gets its own error message. */
const mostText = Math.ceil(mostLogoBytes / 3) * 8;

const logoRoute = route({
  ...base,
  method: 'PUT',
  path: '/brand/logo',
  summary: 'Set your logo',
  description:
    'PNG, WebP or SVG, at most 64 KiB. The format is detected from the content. Brand settings are required.',
  input: z.object({
    data: text({
      min: 0,
      max: mostText,
      about: 'The image in base64. Empty: no logo.',
      pattern: /^[A-Za-z0-9+/]*={0,2}$/,
      must: 'must be base64',
    }),
  }),
  output: brandView,
  errors: writeErrors,
  example: { input: { data: '' }, output: example, first: 'requires brand settings' },
  render: show,
  answer: async (ctx, caller, { data }) =>
    show(await changeLogo(ctx, caller, data === '' ? undefined : Buffer.from(data, 'base64'))),
});

const shownRoute = route({
  area: 'users',
  scope: null,
  style: 'own',
  forUsers: true,
  isPublic: true,
  isExemptFromGuessLimit: true,
  method: 'GET',
  path: '/brand/shown',
  summary: 'Read the brand of an account',
  description:
    'For pages before sign-in. For an unknown account or without one: the brand of the service. At a verified host of an account: always that account.',
  input: z.object({ reseller_id: id('Id of the account.').optional() }),
  output: z.object({
    brand: shownBrandView.nullable().describe('Null: no brand is set.'),
    host_reseller_id: z
      .string()
      .nullable()
      .describe('The account whose customers sign in at this host. Null: the host belongs to no account.'),
  }),
  errors: [],
  example: {
    input: { reseller_id: '1000' },
    output: { brand: shownExample, host_reseller_id: null },
    first: 'call it from a page or a program; the tester sends no cookies',
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
