import { z } from 'zod';
import { notFound } from '../../../core/errors.ts';
import { agreementTypes, findAgreement } from '../../../core/reference/agreement.ts';
import { text } from '../../field.ts';
import { route } from '../../route.ts';

export const agreementRoute = route({
  method: 'GET',
  path: '/agreements/{type}',
  customer: 'read',
  area: 'common',
  style: 'contract',
  summary: 'Read an agreement',
  description: `The text of one agreement, in Markdown: ${agreementTypes.join(', ')}.`,
  input: z.object({ type: text({ max: 60, about: 'Type of agreement.', example: 'registraragreement' }) }),
  output: z.object({
    type: z.string(),
    title: z.string(),
    content_type: z.literal('text/markdown'),
    content: z.string(),
  }),
  errors: ['not_found'],
  example: {
    input: { type: 'registraragreement' },
    output: {
      type: 'registraragreement',
      title: 'Registrar agreement',
      content_type: 'text/markdown',
      content: '# Registrar agreement\n\nA name is registered for whole years.\n',
    },
  },
  async answer(_ctx, _caller, input) {
    const found = findAgreement(input.type);
    if (!found) throw notFound('agreement');
    return { type: found.type, title: found.title, content_type: 'text/markdown', content: found.content };
  },
});
