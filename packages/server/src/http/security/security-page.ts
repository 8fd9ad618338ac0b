import { neededScopes, type Route } from '../route.ts';
import { type CredentialPath, credentialPaths } from './credential-paths.ts';

/** Throws where the list names an operation that does not exist. */
export function operationOf(routes: readonly Route[], operation: string): Route {
  const found = routes.find(({ method, path }) => `${method} ${path}` === operation);
  if (!found) throw new Error(`credential-paths.ts names ${operation}, which does not exist`);
  return found;
}

function whoMayCall(route: Route): string {
  if (route.isPublic) return 'public';
  const scopes = neededScopes(route);
  const words = scopes.length > 0 ? scopes.map((scope) => `\`${scope}\``).join(' or ') : 'own session';
  return route.sudo ? `${words}, confirmed` : words;
}

const made = (routes: readonly Route[], { operations, made: otherwise }: CredentialPath) =>
  operations.length === 0
    ? (otherwise ?? '')
    : operations.map((each) => `\`${each}\` (${whoMayCall(operationOf(routes, each))})`).join('<br>');

const text = `# Security model

How somebody is let in, and what ends it. Each row of the table is one way to a credential. The scopes are those of the operations;
"confirmed" means that a user must have proven who it is within the last ten minutes. A test walks the table: it refuses credentials that
grant more than their maker has, and finds every credential refused after the event that ends it.

## Rules

- Nobody creates a credential that grants more than the own scopes. This holds for keys, users, customers and child accounts.
- A credential that a key made for somebody else ends with the key. Keys that it issued are the exception, because
  programs depend on them: a key for set-up may be revoked when its work is done. Revoking a key names the keys that it issued, directly or
  through others, in its answer, in the console and in the mail to the owner. A key issues a key by creating it or by rotating its secret.
  If the key was stolen, revoke it with \`revoke_issued_keys=true\`; this ends all of them in the same transaction.
- Revoking a key does not undo what the key did. Sub-accounts that it created stay, with their passwords, keys and domains, because they may
  serve real customers; so does the access that it gave to customers. If the key was stolen, read the audit log
  (\`GET /account/audit?action=ACTION\`): each entry names the key (\`key_id\`). Read these actions: \`reseller.create\`, \`reseller.change\`,
  \`customer.create\`, \`customer.access\`, \`person.invite\`. Suspend sub-accounts that you do not know
  (\`POST /resellers/{reseller_id}/suspend\`): their calls are refused, and you can activate them again. Set the access of customers that you do not know to \`none\`.
- Sessions are not cached. A session that was ended is refused by every process from the commit on. API keys are cached for three seconds.
- Credentials are checked before the body of a request is read. If the body takes longer than 250 ms, they are checked again after it, in the
  database: the scopes, role and access of that moment count. Open streams are checked every second.
- A password or code that was verified is compared again in the transaction that writes. Of several uses at the same time one succeeds;
  the others are refused as wrong.
- Only the daily rotation of a session secret has an overlap. Every other change of the secret ends the old one at once.
- Wrong guesses are counted for the secret that was guessed at. A success never clears the counter of another secret, account or network.
- A browser that has signed in before keeps a signed cookie (\`__Host-namehold-device\`). It opens nothing. Strangers who try wrong
  passwords cannot keep such a browser out; a passkey and the link for a new password work in any case.
- A user exists only after its mailbox is proven: by a code that was mailed to it, or by the word of whoever runs the service.
- A call whose body reaches further than its scope needs the further scope too: another name, company or email address of a registrant of live
  domains, and the default nameservers of a customer, need \`domains:write\`; another email address of an account needs \`full\`.
- A change of the address that security notices or replies go to is mailed to the former address, to the account and to its owners.
- In a session, changes of prices, of notice addresses and the suspension of a sub-account need recent authentication. Activating a sub-account does
  not: it restores what the parent had granted, and the parent can suspend it again.

## Credentials

`;

const columns = ['credential', 'created by', 'who may', 'grants', 'ends with', 'guessing', 'notified'] as const;

export function securityPage(routes: readonly Route[]): string {
  const rows = credentialPaths.map((each) =>
    [each.credential, made(routes, each), each.maker, each.grants, each.ends, each.counter, each.notified].join(' | '),
  );
  const head = `| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|\n`;
  return `${text}${head}${rows.map((row) => `| ${row} |`).join('\n')}\n`;
}
