import type { Route } from '../route.ts';

/** Ids that a fresh start does not have: what calls make of it as they are prefilled. */
const madeBy: Record<string, string> = {
  domain_id: 'what `POST /domains` buys as prefilled',
  reseller_id: 'what `POST /resellers` makes as prefilled',
};

/** Ids that nobody can know before: they hold chance, or count with what was done. */
const ownIds: Record<string, string> = {
  key_id: '`GET /account/keys`',
  operation_id: '`GET /operations`',
  move_id: '`GET /moves`',
  quote_id: '`POST /quotes`',
  invitation_id: '`POST /resellers/{reseller_id}/invitations`',
  transaction_id: 'the transactions',
};

/** Whether the call works as it stands, once what it names was made; else it needs a hand. */
export function needsManualStep({ path, example }: Route): boolean {
  return example.first !== undefined || Object.keys(ownIds).some((name) => path.includes(`{${name}}`));
}

/** A sentence for who presses "Try it out", where pressing "Execute" alone is not enough: about the call ... */
export function tryItOut({ example }: Route): string {
  return example.first === undefined ? '' : `\n\nTry it out: ${example.first}.`;
}

/** ... and about a parameter in its path, told where that is described. */
export function whereFrom(name: string): string {
  const made = madeBy[name];
  const own = ownIds[name];
  if (made) return ` Try it out: ${made}.`;
  return own ? ` Try it out: put in one of your own, from ${own}.` : '';
}
