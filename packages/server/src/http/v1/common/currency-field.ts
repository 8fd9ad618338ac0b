import { text } from '../../field.ts';

/** Format of an ISO 4217 code, in any case. The core checks whether the currency exists. */
export const currencyCode = (about: string) =>
  text({
    max: 3,
    min: 3,
    about,
    example: 'USD',
    pattern: /^[A-Za-z]{3}$/,
    must: 'must be an ISO 4217 code such as USD',
  });
