import { buildRRset } from '@namehold/dns';
import { fieldsRefusal } from '../change/problems.ts';
import { rrsetLimits, zoneDefaults } from '../limits.ts';
import { inEachEdit, nameEdits } from '../rrsets/edit-rrsets.ts';
import { fillIn, misspeltIn, placeholdersOf, sampleValues, type Value } from './fill-in.ts';
import { type TemplateContent, templateLimits } from './template.ts';

const sampleName = 'example-shop.com';
const origin = `${sampleName}.`;

/** A template that cannot be applied is not saved: it is filled in with sample values and checked like a change of a zone. */
export function checkTemplate(content: TemplateContent): void {
  checkSize(content);
  checkVariables(content);
  checkPlaceholders(content);
  checkFilledIn(
    content,
    content.variables.map(({ name, kind }) => ({ name, value: sampleValues[kind] })),
  );
}

/** The same with given values. */
export function checkFilledIn(content: Pick<TemplateContent, 'variables' | 'rrsets'>, values: readonly Value[]): void {
  const seen = new Set<string>();
  let records = 0;
  inEachEdit(nameEdits(fillIn(content, sampleName, values), origin), (edit) => {
    const { owner, kind, field } = edit;
    const key = `${owner} ${kind}`;
    if (seen.has(key)) throw fieldsRefusal([{ field, reason: `${edit.name} ${kind} is here twice` }]);
    if (kind === 'SOA' || (kind === 'NS' && owner === origin))
      throw fieldsRefusal([{ field: `${field}.type`, reason: `${kind} of the zone itself is the service’s own` }]);
    seen.add(key);
    records += edit.records?.length ?? 0;
    buildRRset(
      { name: owner, type: kind, ttl: edit.ttl ?? zoneDefaults.ttlSeconds, records: edit.records ?? [] },
      { origin, dotless: 'absolute-if-dotted' },
      rrsetLimits,
    );
  });
  if (records > templateLimits.records)
    throw fieldsRefusal([
      { field: 'rrsets', reason: `${records} records are over ${templateLimits.records}`, code: 'too_many' },
    ]);
}

/** Must run first, because the later checks read and fill in every text. */
function checkSize({ rrsets }: TemplateContent): void {
  let length = 0;
  let placeholders = 0;
  for (const [at, { name, records }] of rrsets.entries())
    for (const [place, text] of [name, ...records].entries()) {
      const field = place === 0 ? `rrsets.${at}.name` : `rrsets.${at}.records.${place - 1}`;
      if (text.length > templateLimits.textLength)
        throw fieldsRefusal([{ field, reason: `is over ${templateLimits.textLength} characters`, code: 'too_long' }]);
      length += text.length;
      placeholders += text.split('{').length - 1;
    }
  if (length > templateLimits.textsLength)
    throw fieldsRefusal([
      { field: 'rrsets', reason: `${length} characters are over ${templateLimits.textsLength}`, code: 'too_long' },
    ]);
  if (placeholders > templateLimits.placeholders)
    throw fieldsRefusal([
      {
        field: 'rrsets',
        reason: `${placeholders} placeholders are over ${templateLimits.placeholders}`,
        code: 'too_many',
      },
    ]);
}

function checkVariables({ variables, rrsets }: TemplateContent): void {
  const used = new Set(rrsets.flatMap(({ name, records }) => [name, ...records].flatMap(placeholdersOf)));
  const seen = new Set(['domain']);
  for (const [at, { name }] of variables.entries()) {
    const field = `variables.${at}.name`;
    if (name === 'domain')
      throw fieldsRefusal([{ field, reason: '{domain} is the domain itself and is always defined' }]);
    if (seen.has(name)) throw fieldsRefusal([{ field, reason: `{${name}} is listed twice` }]);
    if (!used.has(name)) throw fieldsRefusal([{ field, reason: `{${name}} is used in no record` }]);
    seen.add(name);
  }
}

function checkPlaceholders({ variables, rrsets }: TemplateContent): void {
  const known = new Set(['domain', ...variables.map(({ name }) => name)]);
  const unknown = (text: string) => placeholdersOf(text).find((name) => !known.has(name));
  for (const [at, { name, records }] of rrsets.entries()) {
    const texts = [
      [`rrsets.${at}.name`, name],
      ...records.map((text, place) => [`rrsets.${at}.records.${place}`, text]),
    ];
    for (const [field, text] of texts) {
      const found = unknown(text!);
      if (found !== undefined)
        throw fieldsRefusal([{ field: field!, reason: `{${found}} is no variable of the template` }]);
      const wrong = misspeltIn(text!);
      if (wrong !== undefined) {
        const reason = `{${wrong}} is no placeholder: those are small letters, figures and _, and begin with a letter`;
        throw fieldsRefusal([{ field: field!, reason }]);
      }
    }
  }
}
