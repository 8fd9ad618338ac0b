import type { Route } from '../route.ts';

/** Ids that do not exist on a new installation, with the call that creates each. */
const madeBy: Record<string, string> = {
  domain_id: 'the domain that `POST /domains` registers as prefilled',
  reseller_id: 'the reseller that `POST /resellers` creates as prefilled',
};

/** Ids that cannot be predicted, because they are random or depend on earlier calls. */
const ownIds: Record<string, string> = {
  key_id: '`GET /account/keys`',
  operation_id: '`GET /operations`',
  move_id: '`GET /moves`',
  quote_id: '`POST /quotes`',
  invitation_id: '`POST /resellers/{reseller_id}/invitations`',
  transaction_id: 'the transactions',
};

/** Whether the call works as prefilled once its objects exist. Otherwise a manual step is needed. */
export function needsManualStep({ path, example }: Route): boolean {
  return example.first !== undefined || Object.keys(ownIds).some((name) => path.includes(`{${name}}`));
}

/** A sentence for users of "Try it out", where "Execute" alone is not enough: for the call ... */
export function tryItOut({ example }: Route): string {
  return example.first === undefined ? '' : `\n\nTry it out: ${example.first}.`;
}

/** ... and for a path parameter, in its description. */
export function whereFrom(name: string): string {
  const made = madeBy[name];
  const own = ownIds[name];
  if (made) return ` Try it out: ${made}.`;
  return own ? ` Try it out: enter one of your own, from ${own}.` : '';
}
