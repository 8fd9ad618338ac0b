import { text } from '../../field.ts';

/** An ISO 4217 code, in any case; whether there is such a currency is for core to say. */
export const currencyCode = (about: string) =>
  text({
    max: 3,
    min: 3,
    about,
    example: 'USD',
    pattern: /^[A-Za-z]{3}$/,
    must: 'must be an ISO 4217 code such as USD',
  });
