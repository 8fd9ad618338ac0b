import { allTenants } from '@namehold/postgres';
import { systemActor } from '../../packages/server/src/core/actors.ts';
import { addKey } from '../../packages/server/src/core/keys/create.ts';
import { person } from './parties.ts';
import type { TestService } from './service.ts';

let made = 0;

/** Creates a reseller below `parent` (credentials; default: the operator) with a key for loopback, and returns its credentials. */
export async function makeReseller(
  t: TestService,
  parent = t.operator,
  options: { scopes?: string[]; currency?: string } = {},
): Promise<string> {
  made += 1;
  const form = person({
    email: `reseller${made}@made.example`,
    password: 'a long enough one',
    selling_currency: options.currency ?? 'USD',
  });
  const called = await t.call('POST', '/v1/resellers', { form, as: parent });
  if (called.status !== 200) throw new Error(called.text);
  return keyFor(t, called.body.reseller_id as string, options.scopes);
}

export async function keyFor(t: TestService, resellerId: string, scopes: string[] = ['full']): Promise<string> {
  const key = await t.ctx.db.transaction(allTenants, (tx) =>
    addKey(t.ctx, tx, systemActor, resellerId, { label: 'test', whitelist: ['127.0.0.1'], scopes }),
  );
  return `${resellerId}:${key.secret}`;
}
