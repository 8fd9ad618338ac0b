import { z } from 'zod';
import {
  type ChosenDefault,
  chooseDefault,
  clearDefaultTemplate,
  readDefault,
} from '../../../core/zones/templates/default.ts';
import { templateLimits } from '../../../core/zones/templates/template.ts';
import { route } from '../../route.ts';
import { valueInput } from './apply-template.ts';
import { template_id } from './templates.ts';

const valueView = z
  .object({ name: z.string().describe('A variable of the template.'), value: z.string().describe('Its value.') })
  .meta({ id: 'ZoneTemplateGiven', description: 'Value of a variable.' });

const defaultView = z
  .object({
    template_id: z.string().nullable().describe('The template. Null: new zones begin without one.'),
    name: z.string().nullable().describe('Its name. Null: there is none, or it was deleted.'),
    values: z.array(valueView).describe('Values of its variables.'),
    problem: z.string().nullable().describe('Why new zones begin without it nevertheless. Null: no problem.'),
  })
  .meta({ id: 'DefaultZoneTemplate', description: 'The template for new zones.' });

const show = (chosen: ChosenDefault | null): z.output<typeof defaultView> => ({
  template_id: chosen?.templateId ?? null,
  name: chosen?.name ?? null,
  values: (chosen?.values ?? []).map(({ name, value }) => ({ name, value })),
  problem: chosen?.problem ?? null,
});

const common = { path: '/account/zone_template', area: 'dns', style: 'own', output: defaultView } as const;
const none = show(null);
const example = {
  template_id: 'website',
  name: 'Website at an address',
  values: [{ name: 'ip', value: '192.0.2.1' }],
  problem: null,
};

export const readDefaultTemplateRoute = route({
  ...common,
  method: 'GET',
  summary: 'Read the default zone template',
  description: 'None until the account sets one.',
  input: z.object({}),
  errors: [],
  example: { output: none },
  answer: async (ctx, caller) => show(await readDefault(ctx, caller)),
});

export const chooseDefaultTemplateRoute = route({
  ...common,
  method: 'PUT',
  bodyValues: 3 * templateLimits.variables + 100,
  summary: 'Set the default zone template',
  description:
    'Applied to zones that are created because a domain is delegated to our nameservers: by a registration, a transfer or a change of nameservers. Not applied to a zone that a call creates with its first records. The current version of the template is used. If it cannot be applied, the zone begins without it, with the event zone.template_refused.',
  input: z.object({
    template_id,
    values: z.array(valueInput).max(templateLimits.variables).optional().describe('Values of the variables.'),
  }),
  errors: ['not_found', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: { input: { template_id: 'website', values: [{ name: 'ip', value: '192.0.2.1' }] }, output: example },
  render: show,
  answer: async (ctx, caller, input) => show(await chooseDefault(ctx, caller, input.template_id, input.values ?? [])),
});

export const clearDefaultTemplateRoute = route({
  ...common,
  method: 'DELETE',
  summary: 'Remove the default zone template',
  description: 'Existing zones do not change.',
  input: z.object({}),
  errors: ['idempotency_in_flight', 'idempotency_mismatch'],
  example: { output: none },
  render: show,
  answer: async (ctx, caller) => show(await clearDefaultTemplate(ctx, caller)),
});
