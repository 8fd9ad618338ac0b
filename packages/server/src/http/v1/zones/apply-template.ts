import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import type { Edited } from '../../../core/zones/change/change-zone.ts';
import { type Applied, applyTemplate } from '../../../core/zones/templates/apply-template.ts';
import { conflictWays } from '../../../core/zones/templates/put-template.ts';
import { templateLimits } from '../../../core/zones/templates/template.ts';
import { integer, oneOf, text } from '../../field.ts';
import { Answer, route } from '../../route.ts';
import { expectedSerials } from './expected.ts';
import { template_id } from './templates.ts';
import { comment, domain_id, dry_run, ownerField, typeField } from './zone-fields.ts';
import { changeExample, changeView, etag, rrsetExample, rrsetView, showChange, showRRset } from './zone-view.ts';

const ways =
  'replace: the template’s records replace them; merge: both stay, but for SPF, DMARC and similar records only the template’s; skip: the existing ones stay.';

export const valueInput = z
  .strictObject({
    name: text({ max: 30, about: 'A variable of the template.', example: 'ip' }),
    value: text({ max: templateLimits.valueLength, about: 'Its value.', example: '192.0.2.1' }),
  })
  .meta({ id: 'ZoneTemplateValue', description: 'The value of a variable.' });

const choiceInput = z
  .strictObject({ name: ownerField, type: typeField, way: oneOf(conflictWays, ways) })
  .meta({ id: 'ZoneTemplateChoice', description: 'The choice for one conflicting RRset.' });

const conflictView = z
  .object({
    name: z.string().describe('Full name with its final dot.'),
    type: z.string(),
    ttl: z.number(),
    records: z.array(z.string()).describe('Records of the template.'),
    present: z.array(rrsetView).describe('Records of the zone.'),
    can_merge: z
      .boolean()
      .describe(
        'False: both cannot exist together, for example an alias, or the MX of a domain without mail. Use replace or skip.',
      ),
    way: z.enum(conflictWays).nullable().describe('The chosen resolution. Null: none yet.'),
  })
  .meta({ id: 'ZoneTemplateConflict', description: 'The zone has other records at a name of the template.' });

const appliedView = changeView
  .extend({
    template_id: z.string().describe('The template.'),
    template_version: z.number().describe('The version that was applied.'),
    conflicts: z.array(conflictView).describe('Conflicts with existing records.'),
  })
  .meta({ id: 'ZoneTemplateApplied', description: 'The result of applying a template, or a preview.' });

function show({ value, ...change }: Edited<Applied>): z.output<typeof appliedView> {
  return {
    ...showChange(change),
    template_id: value.template.id,
    template_version: value.template.version,
    conflicts: value.conflicts.map((each) => ({
      name: each.name,
      type: each.type,
      ttl: each.ttl,
      records: [...each.records],
      present: each.present.map(showRRset),
      can_merge: each.canMerge,
      way: each.way,
    })),
  };
}

export const applyTemplateRoute = route({
  method: 'POST',
  path: '/domains/{domain_id}/zone/apply_template',
  area: 'dns',
  style: 'own',
  hasETag: true,
  bodyValues: 4 * templateLimits.rrsets + 3 * templateLimits.variables + 100,
  summary: 'Apply a template to a zone',
  description:
    'One change of the zone with one entry in its history (kind template): either everything is applied or nothing. For conflicts with existing records, choices selects a resolution for single RRsets and on_conflict for all others. Without one, the answer is 409 with the conflicts. dry_run shows the change and the conflicts. To apply exactly that, send its ETag as If-Match and its template_version. Without a zone, one is created.',
  input: z.object({
    domain_id,
    template_id,
    template_version: integer({
      min: 0,
      max: 2_147_483_647,
      about: 'The version that you read. Refused with 412 if it has changed.',
      example: 1,
    }).optional(),
    values: z.array(valueInput).max(templateLimits.variables).optional().describe('Values of the variables.'),
    on_conflict: oneOf(conflictWays, ways).optional(),
    choices: z
      .array(choiceInput)
      .max(templateLimits.rrsets)
      .optional()
      .describe('For single RRsets of the template, each once.'),
    dry_run: dry_run.optional(),
    comment: comment.optional(),
  }),
  output: appliedView,
  errors: ['not_found', 'conflict', 'precondition_failed', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: { domain_id: '5001', template_id: 'no-mail', on_conflict: 'replace' },
    output: {
      ...changeExample,
      added: [{ ...rrsetExample, name: 'example-shop.com.', type: 'MX', records: ['0 .'] }],
      template_id: 'no-mail',
      template_version: 1,
      conflicts: [],
    },
  },
  render: show,
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const change = await applyTemplate(ctx, caller, domain, {
      templateId: input.template_id,
      templateVersion: input.template_version,
      values: input.values ?? [],
      onConflict: input.on_conflict,
      choices: input.choices ?? [],
      expected: expectedSerials(caller),
      isDryRun: input.dry_run ?? false,
      comment: input.comment,
    });
    return new Answer(show(change), { headers: etag(change.zone.serial) });
  },
});
