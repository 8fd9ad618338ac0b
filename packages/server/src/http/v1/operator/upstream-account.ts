import { z } from 'zod';
import type { StatedAccount } from '../../../core/upstreams/set-up.ts';
import { FieldRefusal, field, flag, integer, text } from '../../field.ts';
import { currencyCode } from '../common/currency-field.ts';

/** Work of a request, in the budget of the account: many queries of another service. */
export const testCost = 100;
const profileLength = 20_000;

const profile = field<object>(
  {
    type: 'object',
    description: 'Fields that are added to the profile of the service, such as default nameservers or limits.',
    additionalProperties: true,
  },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new FieldRefusal('Must be an object.');
    if (JSON.stringify(value).length > profileLength) throw new FieldRefusal('The value is too large.', 'too_long');
    return value;
  },
);

export const accountInput = {
  service: text({ max: 40, about: 'A service of `GET /operator/upstream_services`.', example: 'resellerclub' }),
  client_id: text({ max: 200, about: 'Our account there, as the service calls it in `fields`.', example: '998877' }),
  secret: text({
    max: 500,
    // Shorter ones cannot be removed from answers of the service without hiding other words.
    min: 8,
    about: 'Its API key or password. It is stored encrypted, and never returned.',
    example: 'KEY-OF-THE-ACCOUNT',
  }),
  upstream_customer_id: text({
    max: 18,
    about: 'Our customer there, to which all domains belong. Only for services that have this field.',
    example: '1000001',
  }).optional(),
  currency: currencyCode('The currency of the account.'),
  test_system: flag('Use the test system of the service. Default: false.').optional(),
  upstream_host: text({
    max: 253,
    pattern: /^[A-Za-z0-9.:-]+$/,
    must: 'must be a host name such as api.example.com',
    about: 'Only for a service without a host of its own. In sandbox mode, any host.',
  }).optional(),
  upstream_port: integer({ min: 1, max: 65_535, about: 'Default: that of the service.' }).optional(),
  profile: profile.optional(),
};

type AccountInput = z.output<z.ZodObject<typeof accountInput>>;

export const statedAccount = (input: AccountInput, id?: string): StatedAccount => ({
  id,
  clientId: input.client_id,
  secret: input.secret,
  customerId: input.upstream_customer_id,
  currency: input.currency.toUpperCase(),
  isTestSystem: input.test_system ?? false,
  host: input.upstream_host?.toLowerCase(),
  port: input.upstream_port,
  profile: input.profile,
});

export const accountExample = {
  service: 'resellerclub',
  client_id: '998877',
  secret: 'KEY-OF-THE-ACCOUNT',
  upstream_customer_id: '1000001',
  currency: 'USD',
};
export const needsAccount = 'requires an account at the service; the key must allow the address of this service';
export const balanceText = z.string().nullable().describe('In `currency`. Null: not reported.');
