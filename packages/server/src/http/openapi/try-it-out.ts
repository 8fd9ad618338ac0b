import type { Route } from '../route.ts';

/** What is prefilled comes from the demo data of a fresh start, or from what these calls make of it as they are prefilled. */
const madeBy: Record<string, string> = {
  domain_id: 'the name is the one that `POST /domains` buys as prefilled',
  reseller_id: 'the account is the one that `POST /resellers` makes as prefilled',
};

/** Ids that nobody can know before: they hold chance, or count with what was done. */
const ownIds: Record<string, string> = {
  key_id: '`GET /account/keys`',
  operation_id: '`GET /operations`',
  quote_id: '`POST /quotes`',
  invitation_id: '`POST /resellers/{reseller_id}/invitations`',
  transaction_id: 'the transactions',
};

/** Whether the call works as it stands, once what it names was made; else it needs a hand. */
export function needsHand({ path, example }: Route): boolean {
  return example.first !== undefined || Object.keys(ownIds).some((name) => path.includes(`{${name}}`));
}

/** A sentence for who presses "Try it out", where pressing "Execute" alone is not enough. */
export function tryItOut({ path, example, isOffered }: Route): string {
  if (isOffered === false) return '';
  const inPath = (names: Record<string, string>) => Object.keys(names).filter((name) => path.includes(`{${name}}`));
  const said = [
    ...inPath(madeBy).map((name) => madeBy[name]!),
    ...inPath(ownIds).map((name) => `put in a \`${name}\` of your own, from ${ownIds[name]}`),
    ...(example.first ? [example.first] : []),
  ];
  return said.length === 0 ? '' : `\n\nTry it out: ${said.join('; ')}.`;
}
