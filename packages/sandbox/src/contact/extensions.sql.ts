import { sql } from '@namehold/postgres';

/**
 * Data of extensions of TLDs, by their name. The column has the name of the first one. Earlier releases stored two extensions in a
 * column each, with other names of fields; saving a contact replaces them.
 */
export const storedExtensions = sql`case when us ? 'purpose' or asia ? 'country' then jsonb_strip_nulls(jsonb_build_object(
    'us', case when us ? 'purpose' then jsonb_build_object('us_purpose', us -> 'purpose', 'us_category', us -> 'category') end,
    'asia', case when asia ? 'country' then jsonb_build_object('asia_country', asia -> 'country',
      'asia_entity_type', asia -> 'entityType', 'asia_other_entity_type', asia -> 'otherEntityType',
      'asia_identification_type', asia -> 'identificationType',
      'asia_other_identification_type', asia -> 'otherIdentificationType',
      'asia_identification_number', asia -> 'identificationNumber') end)) else coalesce(us, '{}') end`;
