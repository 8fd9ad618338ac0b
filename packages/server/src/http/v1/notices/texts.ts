import { z } from 'zod';
import { notFound } from '../../../core/errors.ts';
import { changeText, listTexts, previewText, resetText, type ShownText } from '../../../core/notices/brand.ts';
import { languages, noticeKindNames, noticeKinds, variablesOf } from '../../../core/notices/kinds.ts';
import { templateLimits } from '../../../core/notices/template.ts';
import { text } from '../../field.ts';
import { listAnswer } from '../../page.ts';
import { route } from '../../route.ts';
import { kind, language } from './notice-view.ts';

/** In a path, an unknown value is not found. */
const place = {
  kind: text({ max: 60, about: 'Kind of the notice.', example: 'domain_expiring' }),
  language: text({ max: 10, about: 'Its language.', example: 'en' }),
};

function placeOf(given: { kind: string; language: string }) {
  const found = noticeKindNames.find((each) => each === given.kind);
  const language = languages.find((each) => each === given.language);
  if (!found || !language) throw notFound('notice text');
  return { kind: found, language };
}

const textView = z
  .object({
    kind: z.enum(noticeKindNames),
    language: z.enum(languages),
    when: z.string().describe('When it is sent.'),
    may_be_suppressed: z.boolean().describe('Whether policy allows to suppress it.'),
    words: z.array(z.string()).describe('Variables for {{...}}.'),
    is_own: z.boolean().describe('Whether it is your own text, not the default.'),
    subject: z.string(),
    body: z.string(),
  })
  .meta({ id: 'NoticeText', description: 'The text of a kind of notice.' });

const showText = ({ isOwn, ...shown }: ShownText): z.output<typeof textView> => ({
  kind: shown.kind,
  language: shown.language,
  when: noticeKinds[shown.kind].when,
  may_be_suppressed: noticeKinds[shown.kind].isOptional,
  words: [...variablesOf(shown.kind)],
  is_own: isOwn,
  subject: shown.subject,
  body: shown.body,
});

const subject = text({ max: templateLimits.subjectLength, about: 'The subject.', example: '{{domain}} expires soon' });
const body = text({
  max: templateLimits.bodyLength,
  about: 'The text. Empty lines separate paragraphs; an address on its own line becomes a link. No HTML.',
  example: 'Dear {{recipient}},\n\n{{domain}} expires on {{expires_on}}.',
});

const example: z.output<typeof textView> = {
  ...showText({ kind: 'domain_expiring', language: 'en', subject: '', body: '', isOwn: true }),
  subject: '{{domain}} expires soon',
  body: 'Dear {{recipient}},\n\n{{domain}} expires on {{expires_on}}.',
};
const written = { kind: example.kind, language: example.language, subject: example.subject, body: example.body };

export const listTextsRoute = route({
  method: 'GET',
  path: '/notices/texts',
  area: 'account',
  style: 'own',
  hasTotal: true,
  summary: 'List the texts of all notices',
  description: 'Every kind in every language, with the texts in use.',
  input: z.object({}),
  output: z.array(textView),
  errors: [],
  example: { output: [example] },
  async answer(ctx, caller) {
    const texts = await listTexts(ctx, caller);
    return listAnswer(texts.map(showText), texts.length);
  },
});

export const changeTextRoute = route({
  method: 'PUT',
  path: '/notices/texts/{kind}/{language}',
  area: 'account',
  style: 'own',
  summary: 'Set your own text of a notice',
  description:
    '`{{word}}` is replaced. `{{#word}}...{{/word}}` is included only if the word has a value, `{{^word}}...{{/word}}` only if it has none.',
  input: z.object({ ...place, subject, body }),
  output: textView,
  errors: ['not_found', 'invalid_argument', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: { input: written, output: example },
  render: showText,
  answer: async (ctx, caller, { subject, body, ...where }) =>
    showText(await changeText(ctx, caller, { ...placeOf(where), subject, body })),
});

export const resetTextRoute = route({
  method: 'DELETE',
  path: '/notices/texts/{kind}/{language}',
  area: 'account',
  style: 'own',
  summary: 'Remove your own text',
  description: 'The default text is sent again.',
  input: z.object(place),
  output: textView,
  errors: ['not_found', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: { kind: example.kind, language: example.language },
    output: { ...example, is_own: false },
    first: 'requires a text of your own',
  },
  render: showText,
  async answer(ctx, caller, input) {
    const where = placeOf(input);
    return showText(await resetText(ctx, caller, where.kind, where.language));
  },
});

const previewView = z
  .object({
    from: z.string().describe('Sender address.'),
    reply_to: z.string().describe('Reply address.'),
    subject: z.string(),
    text: z.string().describe('As plain text.'),
    html: z.string().describe('As HTML.'),
  })
  .meta({ id: 'NoticePreview', description: 'A notice as the recipient would see it.' });

export const previewTextRoute = route({
  method: 'POST',
  path: '/notices/preview',
  area: 'account',
  style: 'own',
  summary: 'Preview a notice',
  description: 'With sample data. Subject and body can be drafts; nothing is stored or sent.',
  input: z.object({ kind, language, subject: subject.optional(), body: body.optional() }),
  output: previewView,
  errors: ['invalid_argument', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: written,
    output: {
      from: 'notices@example.net',
      reply_to: 'help@example-shop.com',
      subject: 'example-shop.com expires soon',
      text: 'Dear Sari Dewi,\n\nexample-shop.com expires on 30 November 2027.\n',
      html: '<!doctype html>...',
    },
  },
  async answer(ctx, caller, input) {
    const { replyTo, ...shown } = await previewText(ctx, caller, {
      kind: input.kind,
      language: input.language,
      draft: {
        ...(input.subject === undefined ? {} : { subject: input.subject }),
        ...(input.body === undefined ? {} : { body: input.body }),
      },
    });
    return { ...shown, reply_to: replyTo };
  },
});
