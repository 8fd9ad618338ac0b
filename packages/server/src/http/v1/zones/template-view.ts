import { z } from 'zod';
import {
  owners,
  type TemplateHead,
  type TemplateRRset,
  variableKinds,
  type ZoneTemplate,
} from '../../../core/zones/templates/template.ts';
import { instantText } from '../../wire.ts';

const variableView = z
  .object({
    name: z.string().describe('Name of the placeholder.'),
    kind: z.enum(variableKinds).describe('Required format of its value.'),
    about: z.string().describe('Description for users.'),
  })
  .meta({ id: 'ZoneTemplateVariable', description: 'A variable whose value is given when a template is applied.' });

const headView = z.object({
  template_id: z.string().nullable().describe('Null in a dry run of a new template.'),
  name: z.string(),
  description: z.string().describe('Purpose of the template.'),
  version: z.number().describe('Increases with each change. Also the ETag.'),
  is_built_in: z.boolean().describe('Part of the service; cannot be changed.'),
  whose: z
    .enum(owners)
    .describe(
      'own: yours, can be changed; parent: shared by your parent account; above: shared by an account further up; built_in: part of the service.',
    ),
  is_shared: z.boolean().describe('Visible to the accounts below its owner.'),
  source: z.string().nullable().describe('Documentation of the provider, for a built-in template.'),
  variables: z.array(variableView).describe('Variables whose values are given when it is applied.'),
  rrset_count: z.number().describe('Number of its RRsets.'),
  updated_at: z.string().nullable().describe('Null: built in.'),
});
export const templateHeadView = headView.meta({ id: 'ZoneTemplateHead', description: 'A zone template.' });

const templateRRsetView = z
  .object({
    name: z.string().describe('Relative, or @ for the apex. Can contain placeholders.'),
    type: z.string(),
    ttl: z.number().nullable().describe('Null: as in the zone, or 3600.'),
    records: z.array(z.string()).describe('In zone file format. Can contain placeholders.'),
  })
  .meta({ id: 'ZoneTemplateRRset', description: 'Records of one name and type, with placeholders.' });

export const templateView = headView
  .extend({ rrsets: z.array(templateRRsetView).describe('Its records.') })
  .meta({ id: 'ZoneTemplate', description: 'A zone template with its records.' });

export function showHead(template: TemplateHead): z.output<typeof headView> {
  const { id, name, description, version, whose, source, variables, updatedAt } = template;
  return {
    template_id: id === '' ? null : id,
    name,
    description,
    version,
    is_built_in: whose === 'built_in',
    whose,
    is_shared: template.isShared,
    source,
    variables: variables.map((each) => ({ name: each.name, kind: each.kind, about: each.about })),
    rrset_count: template.rrsetCount,
    updated_at: updatedAt ? instantText(updatedAt) : null,
  };
}

const showRRset = ({ name, type, ttl, records }: TemplateRRset) => ({
  name,
  type,
  ttl: ttl ?? null,
  records: [...records],
});

export const showTemplate = (template: ZoneTemplate): z.output<typeof templateView> => ({
  ...showHead(template),
  rrsets: template.rrsets.map(showRRset),
});

export const headExample: z.output<typeof headView> = {
  template_id: 'tpl_0192',
  name: 'Our shops',
  description: 'Website and mail of a shop.',
  version: 1,
  is_built_in: false,
  whose: 'own',
  is_shared: false,
  source: null,
  variables: [{ name: 'ip', kind: 'ipv4', about: 'Address of the shop' }],
  rrset_count: 1,
  updated_at: '2026-11-15T09:00:00Z',
};

export const templateExample: z.output<typeof templateView> = {
  ...headExample,
  rrsets: [{ name: '@', type: 'A', ttl: null, records: ['{ip}'] }],
};
