import { z } from 'zod';
import { metaName, mostMeta } from '../../../core/forwarding/masking.ts';
import type { RuleDraft } from '../../../core/forwarding/read-rule.ts';
import { codes, forwardingLimits, type RedirectCode } from '../../../core/forwarding/rule.ts';
import type { ExpectedVersion } from '../../../core/forwarding/set-forwarding.ts';
import { badParameter, WireRefusal } from '../../errors.ts';
import { asText, FieldRefusal, field, flag, oneOf, text } from '../../field.ts';
import type { Caller } from '../../route.ts';

export const replace_records = flag(
  'Replace address records of yours that conflict with those of forwarding. They return when forwarding ends.',
);
export const dry_run = flag('Check and show the result only; nothing is stored.');

const host = text({
  max: 253,
  about: '@ for the domain itself, www, a.b, or * for every host without its own rule.',
  example: 'www',
});
const path = text({
  max: forwardingLimits.pathLength,
  about: 'Begins with /. Default: / for everything.',
  example: '/old',
});
const target = text({
  max: forwardingLimits.targetLength,
  about: 'An http or https URL. In a rule for *, its path can contain {sub}, the requested host label.',
  example: 'https://example.net/',
});
const code = field(
  { type: 'integer', enum: [...codes], description: 'Default: 301.', examples: [301] },
  (value): RedirectCode => {
    const found = codes.find((each) => String(each) === asText(value).trim());
    if (!found) throw new FieldRefusal(`Must be one of ${codes.join(', ')}.`);
    return found;
  },
);
const maskingInput = z
  .strictObject({
    title: text({ min: 0, max: forwardingLimits.pageTextLength, about: 'Title of the page.' }).optional(),
    meta: z
      .record(z.string().regex(metaName), z.string().max(forwardingLimits.pageTextLength))
      .refine((value) => Object.keys(value).length <= mostMeta, `has more than ${mostMeta} entries`)
      .optional()
      .describe('Meta tags: description, keywords, author, robots, og:...'),
    text: text({
      min: 0,
      max: forwardingLimits.markupLength,
      about: 'For browsers without frames: text, paragraphs, headings and links.',
    }).optional(),
  })
  .meta({ id: 'MaskingInput', description: 'The masking page around the frame.' });

const common = {
  host,
  path: path.optional(),
  match: oneOf(['prefix', 'exact'], 'The path and everything below it (default), or only the path.').optional(),
  code: code.optional(),
  path_mode: oneOf(['drop', 'append'], 'The rest of the path: dropped (default) or appended.').optional(),
  query_mode: oneOf(
    ['drop', 'append', 'merge'],
    'The query: dropped (default), appended, or merged; in a merge, keys of the target take precedence.',
  ).optional(),
  masking: maskingInput.nullable().optional().describe('Show the target in a frame. Null: redirect.'),
  hsts: flag('Browsers use only HTTPS for 180 days. Default: false.').optional(),
  enabled: flag('Default: true.').optional(),
};

export const ruleInput = z
  .strictObject({ ...common, target })
  .meta({ id: 'ForwardingRuleInput', description: 'A rule: where requests for a host and path are sent.' });

export const ruleEditInput = z
  .strictObject({
    ...common,
    target: target.optional(),
    action: oneOf(['set', 'delete'], 'set (default): create or change the rule; delete: delete it.').optional(),
  })
  .meta({
    id: 'ForwardingRuleEdit',
    description: 'A change of the rule with this host, path and match. Omitted fields stay.',
  });

export const ruleList = <T extends z.ZodType>(one: T) => z.array(one).max(forwardingLimits.rulesPerDomain);

export const bodyValues = 40 * forwardingLimits.rulesPerDomain;

/** Converts request fields to the names of the core. */
export function draftOf(input: z.output<typeof ruleEditInput> | z.output<typeof ruleInput>): RuleDraft {
  const { path_mode: pathMode, query_mode: queryMode, masking, ...rest } = input;
  return { ...rest, pathMode, queryMode, masking: masking as RuleDraft['masking'] };
}

/** If-Match: versions in quotes, as in ETag, or `*`. */
export function expectedVersions(caller: Caller): ExpectedVersion | undefined {
  const header = caller.header('if-match')?.trim();
  if (header === undefined || header === '') return undefined;
  if (header === '*') return '*';
  return header.split(',').map((part) => {
    const version = /^"?(\d{1,9})"?$/.exec(part.trim())?.[1];
    if (version === undefined) throw badParameter('If-Match', 'Must be the version in quotes, as ETag gives it, or *.');
    return Number(version);
  });
}

/** For the call that replaces all rules. A dry run replaces nothing. */
export function expectedOfReplacement(caller: Caller, isDryRun: boolean): ExpectedVersion | undefined {
  const expected = expectedVersions(caller);
  if (expected === undefined && !isDryRun)
    throw new WireRefusal(
      'precondition_required',
      'This replaces all rules of the domain. Send If-Match with the version that you read, or * for any.',
    );
  return expected;
}
