import { neededScopes, type Route } from '../../packages/server/src/http/route.ts';
import { type CredentialPath, credentialPaths } from './credential-paths.ts';
import { exhaustibleLimits } from './exhaustible-limits.ts';

/** Throws where the list names an operation that does not exist. */
export function operationOf(routes: readonly Route[], operation: string): Route {
  const found = routes.find(({ method, path }) => `${method} ${path}` === operation);
  if (!found) throw new Error(`credential-paths.ts names ${operation}, which does not exist`);
  return found;
}

function whoMayCall(route: Route): string {
  if (route.isPublic) return 'public';
  const scopes = neededScopes(route);
  const access = scopes.length > 0 ? scopes.map((scope) => `\`${scope}\``).join(' or ') : 'own session';
  return route.sudo ? `${access}, confirmed` : access;
}

const made = (routes: readonly Route[], { operations, made: otherwise }: CredentialPath) =>
  operations.length === 0
    ? (otherwise ?? '')
    : operations.map((each) => `\`${each}\` (${whoMayCall(operationOf(routes, each))})`).join('<br>');

const text = `# Security model

This page lists every credential: who can create it, what it grants, what limits guessing, and what ends it. Each row of the table is one credential. The scopes are those of the operations. "Confirmed" means that the user must have authenticated within the last ten minutes. A test checks the table: it refuses credentials that grant more than their creator has, and verifies that every credential is refused after the event that ends it.

## Rules

- **No escalation:** a credential never grants more than the scopes of its creator. This applies to keys, users, customers and sub-resellers.
- **Revocation:** a credential that a key created for another party ends with the key. Keys that it issued are an exception, because programs depend on them: a key for setup can be revoked when its work is done.
- **Issued keys:** a key issues a key by creating it or by rotating its secret. It also issues the first key of a sub-reseller that accepts its invitation, or that used its temporary password with an invitation that no key made. Revoking a key names all keys that it issued, directly or through others, in the answer, in the console and in the mail to the owner. If the key was stolen, revoke it with \`revoke_issued_keys=true\`, which ends all of them in the same transaction, those in sub-resellers too. Such keys of real sub-resellers end as well: invite these sub-resellers again.
- **Stolen keys:** revoking a key does not undo what the key did. Sub-resellers that it created stay, with their passwords, users and domains, because they may serve real customers. Keys in sub-resellers that came from it end only with \`revoke_issued_keys\`. The access that the key gave to customers stays. Changes that it requested and that wait for approval can only be declined. [stolen-key.md](stolen-key.md) lists all steps after a theft, with the audit actions to check.
- **Stolen sessions:** a new password, a change of factors, role or access, and signing out a session from another one end what the session started. Changes that wait for approval can only be declined. Unused invitations of users end, and so do requests to remove the factors of other users. Keys, and temporary passwords and invitations of customers and sub-resellers, stay. A user who signs out, or whose session expires, keeps everything.
- **Suspension:** while an account is suspended, the calls of this account, of all accounts below it and of their customers are refused with 403. The state of all accounts above is read with the credential.
- **Caching:** sessions are not cached. An ended session is refused by every process from the commit on. A request that was authenticated before that, and waits for a connection or a lock, is still carried out. API keys are cached for three seconds.
- **Slow requests:** credentials are checked before the body of a request is read. If the body takes longer than 250 ms, they are checked again in the database, and the scopes, role and access of that moment apply. Open streams are checked every second.
- **Concurrency:** a verified password or code is compared again in the transaction that writes. Of several simultaneous uses one succeeds, and the others are refused as wrong.
- **Rotation:** only the daily rotation of a session secret has an overlap. Every other change of the secret ends the old one at once.
- **Guessing:** wrong attempts are counted for the attacked secret. A success never clears the counter of another secret, account or network.
- **Known browsers:** a browser that has signed in before keeps a signed cookie (\`__Host-namehold-device\`), which grants no access. Attackers who try wrong passwords cannot lock such a browser out. A passkey and a link for a new password that is still valid always work. Anyone can cause 429 for *requests* of such a link, see [below](#limits-and-who-can-exhaust-them).
- **New users:** a user exists only after its mailbox is verified, by a mailed code or by the operator on the command line.
- **Wider effects:** a call whose body affects more than its scope covers needs the wider scope too. Another name, company or email address of a registrant of live domains, the default nameservers of a customer, and the renewal mode of later domains need \`domains:write\`. Another email address of an account needs \`full\`. Another email address of a customer with access needs every scope that the access confers, and is mailed to the owner of the account. A key or user without these scopes can change the address while the access is lower. More access is then refused (409) until the caller confirms the address in the field \`email\`. The mail about the grant names both addresses, and every reduction of access is mailed too.
- **Spellings of an address:** addresses are stored and compared with the domain in ASCII (UTS 46). \`box@bücher.example\`, its form with \`xn--\` and spellings with full-width letters or an ideographic full stop are one mailbox for sign-in, counters, limits and uniqueness.
- **Warnings:** each topic has a daily limit of its own, and each access level of customers is a topic. A key can use up only the warnings about levels that it may grant. The last mail says that no further ones are sent ([mail.md](mail.md#warnings-about-credentials)).
- **Address changes:** a change of the address for security notices or replies is mailed to the account and its owners. The former address gets it too if it was proven or in place for more than 24 hours.
- **Recent authentication:** in a session, it is required for changes of prices and notice addresses and for the suspension of a sub-reseller. Activating a sub-reseller does not require it: it restores what the parent had granted, and the parent can suspend it again.

## Credentials

`;

const limitsText = `
## Limits and who can exhaust them

This table lists limits that another party can use up. A top account is an account directly below the operator.

| limit | who can use it up | what stops | what still works |
|---|---|---|---|
`;

const columns = ['credential', 'created by', 'who may', 'grants', 'ends with', 'guessing', 'notified'] as const;

export function securityPage(routes: readonly Route[]): string {
  const rows = credentialPaths.map((each) =>
    [each.credential, made(routes, each), each.maker, each.grants, each.ends, each.counter, each.notified].join(' | '),
  );
  const head = `| ${columns.join(' | ')} |\n|${columns.map(() => '---').join('|')}|\n`;
  const table = (lines: readonly string[]) => lines.map((row) => `| ${row} |\n`).join('');
  const limits = exhaustibleLimits.map(({ limit, driver, stops, remains }) =>
    [limit, driver, stops, remains].join(' | '),
  );
  return `${text}${head}${table(rows)}${limitsText}${table(limits)}`;
}
