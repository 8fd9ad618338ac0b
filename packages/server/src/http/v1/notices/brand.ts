import { z } from 'zod';
import { type BrandChoice, changeBrand, readBrand } from '../../../core/notices/brand.ts';
import { languages, noticeKindNames } from '../../../core/notices/kinds.ts';
import { list, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';

const brandView = z
  .object({
    name: z.string().describe('Sender name of mail.'),
    sender_address: z.string().nullable().describe('Your own sender address. Null: that of the service.'),
    reply_to: z.string().describe('Address for replies.'),
    logo_url: z.string().nullable().describe('Image at the top.'),
    language: z.enum([...languages, 'auto']).describe('auto: by the country of the recipient.'),
    suppressed: z.array(z.enum(noticeKindNames)).describe('Kinds that are not sent.'),
  })
  .meta({ id: 'NoticeBrand', description: 'Appearance of mail in your name.' });

const showBrand = ({ chosen, brand }: BrandChoice): z.output<typeof brandView> => ({
  name: brand.name,
  sender_address: chosen.sender_address,
  reply_to: brand.reply_to,
  logo_url: brand.logo_url,
  language: brand.language ?? 'auto',
  suppressed: brand.suppressed as z.output<typeof brandView>['suppressed'],
});

const example: z.output<typeof brandView> = {
  name: 'Example Shop',
  sender_address: null,
  reply_to: 'help@example-shop.com',
  logo_url: 'https://example-shop.com/logo.png',
  language: 'auto',
  suppressed: ['auth_code_given'],
};

export const readBrandRoute = route({
  method: 'GET',
  path: '/notices/brand',
  area: 'account',
  style: 'own',
  summary: 'Read the mail settings',
  description: 'Name, sender, reply address, logo and language of notices, and the kinds that are not sent.',
  input: z.object({}),
  output: brandView,
  errors: [],
  example: { output: example },
  answer: async (ctx, caller) => showBrand(await readBrand(ctx, caller)),
});

const empty = 'empty: the default';

export const changeBrandRoute = route({
  method: 'PUT',
  path: '/notices/brand',
  sudo: true,
  area: 'account',
  style: 'own',
  summary: 'Change the mail settings',
  description:
    'Omitted fields stay; an empty text removes a value. Notices that policy requires cannot be suppressed. A changed `reply_to`, `sender_address` or `suppressed` is notified to the account, to its owners and to the previous address.',
  input: z.object({
    name: text({ min: 0, max: 100, about: `Sender name of mail; ${empty}.` }).optional(),
    sender_address: text({
      min: 0,
      max: 254,
      about: `Sender address of mail, at an active domain of yours; ${empty}.`,
    }).optional(),
    reply_to: text({ min: 0, max: 254, about: `Address for replies; ${empty}.` }).optional(),
    logo_url: text({ min: 0, max: 300, about: `Picture, by https; ${empty}.` }).optional(),
    language: oneOf([...languages, 'auto'], 'auto: by the country of the recipient.').optional(),
    suppressed: list({ max: noticeKindNames.length, about: 'Kinds that are not sent.' }).optional(),
  }),
  output: brandView,
  errors: ['invalid_argument', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: { input: { reply_to: 'help@example-shop.com' }, output: example },
  render: showBrand,
  async answer(ctx, caller, { name, sender_address, reply_to, logo_url, language, suppressed }) {
    const changed = await changeBrand(ctx, caller, {
      ...(name === undefined ? {} : { name: name || null }),
      ...(sender_address === undefined ? {} : { sender_address: sender_address || null }),
      ...(reply_to === undefined ? {} : { reply_to: reply_to || null }),
      ...(logo_url === undefined ? {} : { logo_url: logo_url || null }),
      ...(language === undefined ? {} : { language: language === 'auto' ? null : language }),
      ...(suppressed === undefined ? {} : { suppressed }),
    });
    return showBrand(changed);
  },
});
