import { partyLimits } from '../../../core/reference/party.ts';
import { asText, FieldRefusal, field, moment, text } from '../../field.ts';

const idsPerFilter = 100;

/** One id or a comma-separated list of ids. */
export function ids(about: string) {
  const json = {
    type: 'array',
    items: { type: 'string', pattern: '^[0-9]{1,18}$' },
    maxItems: idsPerFilter,
    description: `${about} Comma-separated.`,
    examples: [['2001', '2002']],
  };
  return field(json, (value) => {
    const items = (Array.isArray(value) ? value.map(asText) : asText(value).split(',')).map((item) => item.trim());
    const read = items.filter((item) => item !== '');
    if (read.length > idsPerFilter) throw new FieldRefusal(`Must have at most ${idsPerFilter} ids.`, 'too_many');
    if (!read.every((item) => /^\d{1,18}$/.test(item))) throw new FieldRefusal('Must be decimal ids.');
    return read;
  });
}

const contains = (what: string) =>
  text({ max: partyLimits.lineLength, about: `Only if the ${what} contains this text, in any case.` }).optional();

export const creationRange = {
  creation_date_start: moment({ about: 'Created at or after this time.' }).optional(),
  creation_date_end: moment({
    about: 'Created at or before this time. A bare date includes that day.',
    endOfDay: true,
  }).optional(),
};

/** Filters of the lists of customers and resellers. */
export const partySearchFields = {
  email: text({ max: partyLimits.emailLength, about: 'Only this exact email address, in any case.' }).optional(),
  name: contains('name'),
  company: contains('company'),
  city: contains('city'),
  state: contains('state'),
  country_code: field(
    { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'Only this country.', examples: ['ID'] },
    (value) => {
      if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value.trim())) {
        throw new FieldRefusal('Must be an ISO 3166-1 alpha-2 country code such as US.');
      }
      return value.trim().toUpperCase();
    },
  ).optional(),
  ...creationRange,
};

interface SentSearch {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly company?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country_code?: string | undefined;
  readonly status?: string | undefined;
  readonly creation_date_start?: Date | undefined;
  readonly creation_date_end?: Date | undefined;
  readonly total_receipts_start?: string | undefined;
  readonly total_receipts_end?: string | undefined;
}

/** The filters in the names of the core. */
export function searchOf(sent: SentSearch) {
  return {
    email: sent.email,
    name: sent.name,
    company: sent.company,
    city: sent.city,
    state: sent.state,
    country: sent.country_code,
    status: sent.status,
    createdFrom: sent.creation_date_start,
    createdTo: sent.creation_date_end,
    receiptsFrom: sent.total_receipts_start,
    receiptsTo: sent.total_receipts_end,
  };
}
