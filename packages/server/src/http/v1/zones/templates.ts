import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { badField } from '../../../core/errors.ts';
import { templateLimits, variableKinds, type ZoneTemplate } from '../../../core/zones/templates/template.ts';
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  listTemplates,
  requireTemplate,
} from '../../../core/zones/templates/templates.ts';
import { WireRefusal } from '../../errors.ts';
import { flag, oneOf, text } from '../../field.ts';
import { Answer, route } from '../../route.ts';
import { expectedSerials } from './expected.ts';
import {
  headExample,
  showHead,
  showTemplate,
  templateExample,
  templateHeadView,
  templateView,
} from './template-view.ts';
import { dry_run, rrsetInput } from './zone-fields.ts';
import { etag } from './zone-view.ts';

export const template_id = text({
  max: 40,
  about: 'Id of the template: of your own, or the keyword of a built-in one.',
  example: 'no-mail',
  pattern: /^[a-z0-9_-]+$/,
  must: 'must be an id of a template',
});

const variable = z
  .strictObject({
    name: text({
      max: 30,
      about: 'Name of the placeholder: {ip}.',
      example: 'ip',
      pattern: /^[a-z][a-z0-9_]*$/,
      must: 'must be lower-case letters, digits and _',
    }),
    kind: oneOf(
      variableKinds,
      'ipv4, ipv6: an address; hostname: a full host name; label: one label of a host name; word: no spaces; text: one line.',
    ),
    about: text({ min: 0, max: templateLimits.aboutLength, about: 'Description for users.' }).optional(),
  })
  .meta({
    id: 'ZoneTemplateVariableInput',
    description: 'A variable whose value is given when a template is applied.',
  });

const content = {
  name: text({ max: templateLimits.nameLength, about: 'Name.', example: 'Our shops', shown: 'name' }),
  description: text({ min: 0, max: templateLimits.descriptionLength, about: 'Purpose of the template.' }).optional(),
  variables: z
    .array(variable)
    .max(templateLimits.variables)
    .optional()
    .describe('Variables whose values are given when it is applied. Each must be in a record.'),
};
const shared = 'The accounts below yours can use it, but not change it.';
const rrsets = z.array(rrsetInput).min(1).max(templateLimits.rrsets);
const bodyValues = 6 * templateLimits.rrsets + templateLimits.records + 5 * templateLimits.variables + 100;
const base = { area: 'dns', style: 'own' } as const;
const writeErrors = ['conflict', 'already_exists', 'idempotency_in_flight', 'idempotency_mismatch'] as const;

const answerOf = (template: ZoneTemplate) => new Answer(showTemplate(template), { headers: etag(template.version) });

const readVariables = (given: readonly z.output<typeof variable>[] | undefined) =>
  (given ?? []).map(({ name, kind, about }) => ({ name, kind, about: about ?? '' }));

export const listTemplatesRoute = route({
  ...base,
  method: 'GET',
  path: '/zone_templates',
  summary: 'List zone templates',
  description:
    'Your own templates first. Then those shared by the accounts above yours, nearest first, and those of the service: mail and website providers, parked domains, and domains without mail.',
  input: z.object({}),
  output: z.array(templateHeadView),
  errors: [],
  example: { output: [headExample] },
  answer: async (ctx, caller) => (await listTemplates(ctx, caller)).map(showHead),
});

export const readTemplateRoute = route({
  ...base,
  method: 'GET',
  path: '/zone_templates/{template_id}',
  hasETag: true,
  summary: 'Read a zone template',
  description: 'With its records and variables. `ETag` is the version.',
  input: z.object({ template_id }),
  output: templateView,
  errors: ['not_found'],
  example: { input: { template_id: 'no-mail' }, output: templateExample },
  answer: async (ctx, caller, input) => answerOf(await requireTemplate(ctx, caller, input.template_id)),
});

export const createTemplateRoute = route({
  ...base,
  method: 'POST',
  path: '/zone_templates',
  hasETag: true,
  bodyValues,
  summary: 'Save a zone template',
  description:
    'From the given records, or from a zone of yours (`from_domain_id`), whose domain name becomes {domain}. Names and records can contain {domain} and the variables. A template that could not be applied is refused.',
  input: z.object({
    ...content,
    is_shared: flag(`${shared} Left out: no.`).optional(),
    rrsets: rrsets.optional(),
    from_domain_id: text({
      max: 255,
      about: 'Id or name of a domain whose zone is the content, instead of rrsets.',
    }).optional(),
    dry_run: dry_run.optional(),
  }),
  output: templateView,
  errors: ['not_found', ...writeErrors],
  example: {
    input: {
      name: 'Our shops',
      variables: [{ name: 'ip', kind: 'ipv4', about: 'Address of the shop' }],
      rrsets: [{ name: '@', type: 'A', records: ['{ip}'] }],
    },
    output: templateExample,
  },
  render: showTemplate,
  async answer(ctx, caller, input) {
    if ((input.rrsets === undefined) === (input.from_domain_id === undefined))
      throw badField('rrsets', 'Send either rrsets or from_domain_id.', 'required');
    const order = {
      name: input.name,
      description: input.description ?? '',
      variables: readVariables(input.variables),
      isShared: input.is_shared ?? false,
      rrsets: input.rrsets ?? (await requireDomain(ctx, caller, input.from_domain_id!)),
    };
    return answerOf(await createTemplate(ctx, caller, order, input.dry_run ?? false));
  },
});

export const changeTemplateRoute = route({
  ...base,
  method: 'PUT',
  path: '/zone_templates/{template_id}',
  hasETag: true,
  bodyValues,
  summary: 'Change a zone template',
  description:
    'Replaces the whole template. Requires If-Match with the version that you read, or *. A dry run does not. Zones to which it was applied do not change.',
  input: z.object({
    template_id,
    ...content,
    is_shared: flag(`${shared} Omitted: unchanged.`).optional(),
    rrsets,
    dry_run: dry_run.optional(),
  }),
  output: templateView,
  errors: ['not_found', 'precondition_failed', 'precondition_required', ...writeErrors],
  example: {
    input: { template_id: 'tpl_0192', name: 'Our shops', rrsets: [{ name: '@', type: 'A', records: ['192.0.2.1'] }] },
    output: { ...templateExample, version: 2 },
    first: 'enter the id of a template of yours, and If-Match: *',
  },
  render: showTemplate,
  async answer(ctx, caller, input) {
    await requireTemplate(ctx, caller, input.template_id);
    const isDryRun = input.dry_run ?? false;
    const expected = expectedSerials(caller);
    if (expected === undefined && !isDryRun)
      throw new WireRefusal(
        'precondition_required',
        'This replaces the whole template. Send If-Match with the version that you read, or * for any.',
      );
    const wanted = {
      name: input.name,
      description: input.description ?? '',
      variables: readVariables(input.variables),
      rrsets: input.rrsets,
    };
    const manner = { isShared: input.is_shared, expected, isDryRun };
    return answerOf(await changeTemplate(ctx, caller, input.template_id, wanted, manner));
  },
});

export const deleteTemplateRoute = route({
  ...base,
  method: 'DELETE',
  path: '/zone_templates/{template_id}',
  summary: 'Delete a zone template',
  description: 'Zones to which it was applied do not change. With If-Match, only the version that you read is deleted.',
  input: z.object({ template_id }),
  output: z.object({ deleted: z.literal(true) }),
  errors: ['not_found', 'conflict', 'precondition_failed', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: { template_id: 'tpl_0192' },
    output: { deleted: true },
    first: 'enter the id of a template of yours',
  },
  render: () => ({ deleted: true }),
  async answer(ctx, caller, input) {
    await deleteTemplate(ctx, caller, input.template_id, expectedSerials(caller));
    return { deleted: true };
  },
});
