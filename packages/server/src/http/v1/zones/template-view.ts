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
    name: z.string().describe('What stands in braces.'),
    kind: z.enum(variableKinds).describe('What its value must look like.'),
    about: z.string().describe('What is asked for, in words.'),
  })
  .meta({ id: 'ZoneTemplateVariable', description: 'A value that is asked for when a template is applied.' });

const headView = z.object({
  template_id: z.string().nullable().describe('Null in a dry run of a new one.'),
  name: z.string(),
  description: z.string().describe('What it is for.'),
  version: z.number().describe('Counts with each change; also the ETag.'),
  is_built_in: z.boolean().describe('It comes with the service and cannot be changed.'),
  whose: z
    .enum(owners)
    .describe(
      'own: yours to change; parent: your parent account shares it; above: an account further up does; built_in: it comes with the service.',
    ),
  is_shared: z.boolean().describe('The accounts below its owner see and use it.'),
  source: z.string().nullable().describe('Page on which the provider of a built-in one says what it needs.'),
  variables: z.array(variableView).describe('What is asked for when it is applied.'),
  rrset_count: z.number().describe('How many RRsets it has.'),
  updated_at: z.string().nullable().describe('Null: built in.'),
});
export const templateHeadView = headView.meta({ id: 'ZoneTemplateHead', description: 'A zone template.' });

const templateRRsetView = z
  .object({
    name: z.string().describe('Relative, or @ for the zone itself; may have placeholders.'),
    type: z.string(),
    ttl: z.number().nullable().describe('Null: as the zone has it, or 3600.'),
    records: z.array(z.string()).describe('As a zone file has them; may have placeholders.'),
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
