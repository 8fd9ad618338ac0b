import { z } from 'zod';
import { readShownSettings } from '../../../core/operator/component-overview.ts';
import { route } from '../../route.ts';

const settingView = z
  .object({
    name: z.string(),
    meaning: z.string().describe('Purpose of the setting.'),
    default: z.string().describe('The default.'),
    value: z.string().nullable().describe('The value in force. Null: not set, or secret.'),
    is_secret: z.boolean().describe('Its value is not shown.'),
    is_set: z.boolean().describe('Whether it has a value.'),
  })
  .meta({ id: 'Setting', description: 'A setting of the installation.' });

export const listSettingsRoute = route({
  method: 'GET',
  path: '/operator/settings',
  area: 'account',
  style: 'own',
  summary: 'List settings',
  description:
    'The settings with which the responding process was started. Secrets are not shown. Only for the operator.',
  input: z.object({}),
  output: z.object({ settings: z.array(settingView).describe('All settings.') }),
  errors: ['operator_only'],
  example: {
    output: {
      settings: [
        {
          name: 'NAMEHOLD_PORT',
          meaning: 'Port of the HTTP interface; 0 takes a free one.',
          default: '8080',
          value: '8080',
          is_secret: false,
          is_set: true,
        },
      ],
    },
  },
  answer: async (ctx, caller) => ({
    settings: readShownSettings(ctx, caller).map(({ fallback, isSecret, isSet, ...row }) => ({
      ...row,
      default: fallback,
      is_secret: isSecret,
      is_set: isSet,
    })),
  }),
});
