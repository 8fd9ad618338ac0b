import { findDomain } from '../domain/domain.sql.ts';
import { statusesOf } from '../domain/view.ts';
import { isRegistrar } from '../identity/registrar.sql.ts';
import { decimal } from '../money/price.ts';
import { registryTenant } from '../registry/registry.ts';
import { settleDue } from '../scheduler/settle.ts';
import { sandboxCurrency } from '../tlds/index.ts';
import { type ControlCall, ControlError, limitOf } from './control.ts';
import { knownNames, linesOfNames } from './statement.sql.ts';

const maxLimit = 1_000;

/**
 * `?client=namehold&after=<name>&limit=` or `&name=`: every name that the account sponsors or ever paid for, in byte order, with its
 * lines of the statement. A registrar reconciles its own records with it.
 */
export const showNames: ControlCall = async ({ registry }, { query }) => {
  await settleDue(registry);
  const client = query.get('client') ?? '';
  const db = registry.db.as(registryTenant);
  if (!(await isRegistrar(db, client))) throw new ControlError(404, `no account "${client}": ?client= names one`);
  const limit = limitOf(query, maxLimit, maxLimit);
  const after = query.get('after') ?? '';
  const one = query.get('name');
  const names = await knownNames(db, { client, after, name: one, limit });
  const lines = await linesOfNames(db, client, names);
  const ofName = Map.groupBy(lines, (line) => line.domain);
  const shown = [];
  for (const name of names) {
    const domain = await findDomain(db, name);
    shown.push({
      name,
      sponsored: domain?.sponsor === client,
      expires_at: domain?.expiresAt ?? null,
      statuses: domain ? statusesOf(domain) : [],
      lines: (ofName.get(name) ?? []).map(({ at, kind, command, amount, cl_trid }) => ({
        at,
        kind,
        command,
        amount: decimal(BigInt(amount)),
        cltrid: cl_trid,
      })),
    });
  }
  return { client_id: client, currency: sandboxCurrency, names: shown };
};
