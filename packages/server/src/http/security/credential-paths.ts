/** One way by which somebody comes to be let in. `docs/operate/security-model.md` is made from this list, and a test walks it. */
export interface CredentialPath {
  readonly id: string;
  readonly credential: string;
  /** Operations by which it is made, as `METHOD /path`; their scopes stand in the page. Empty: see `made`. */
  readonly operations: readonly string[];
  /** How it is made, where no operation says it. */
  readonly made?: string;
  /** Who may make it, beyond the scope of the operation. */
  readonly maker: string;
  readonly grants: string;
  readonly ends: string;
  /** What limits guessing. */
  readonly counter: string;
  readonly notified: string;
}

const perLogin = (whose: string) =>
  `10 in 15 minutes for ${whose} from one network, 20 from all networks together; a known browser or session has 10 of its own. A success clears the counter of its own network or browser only.`;
const userPassword = perLogin('one e-mail address');
const accountPassword = perLogin('one e-mail address in one account');
const network = '30 misses a minute from one network';
const unguessable = `256 random bits; ${network}`;
const code = `192 random bits; ${network}`;

export const credentialPaths: readonly CredentialPath[] = [
  {
    id: 'api_key',
    credential: 'API key',
    operations: ['POST /account/keys', 'POST /account/keys/{key_id}/rotate'],
    maker: 'A key or user within its own scopes, address ranges and expiry.',
    grants: 'The scopes of the key, from its address ranges.',
    ends: 'Revocation and expiry (every process within five seconds), deletion of the account. Rotation ends the old secret after its overlap. Keys that it issued end with it if the caller says so (`revoke_issued_keys`).',
    counter: `${code} and 300 a minute for one account`,
    notified: 'Owner of the account, by mail.',
  },
  {
    id: 'account_password',
    credential: 'Password of a new account',
    operations: ['POST /resellers'],
    maker: 'The parent account, with `full`.',
    grants:
      'Makes the first owner of the account, once the mailbox of the account is proven; with an invitation, its first API key.',
    ends: 'The first owner of the account.',
    counter: `${accountPassword} With an invitation: 10 in 15 minutes for one account.`,
    notified: 'Owner of the new account when an owner joins, by mail.',
  },
  {
    id: 'account_temp_password',
    credential: 'Temporary password of an account',
    operations: ['GET /resellers/temp_password'],
    maker: 'The account itself or its parent, with `full`.',
    grants: 'The same as the password of the account.',
    ends: 'Use, three days, another temporary password, revocation of the key that made it.',
    counter: accountPassword,
    notified: 'Owner of the account, by mail and event `account.temp_password_made`.',
  },
  {
    id: 'account_invitation',
    credential: 'Invitation of a child account',
    operations: ['POST /resellers/{reseller_id}/invitations'],
    maker: 'The parent account, with `full`.',
    grants: 'Together with the password of the child account: its first API key.',
    ends: 'Use, 24 hours, five wrong passwords, revocation of the key that made it, removal of the user who made it.',
    counter: `${code}; five wrong passwords for one invitation, 10 in 15 minutes for one account`,
    notified: 'Owner of the child account when it is used, by mail; both accounts by event `invitation.accepted`.',
  },
  {
    id: 'user_invitation',
    credential: 'Invitation of a user',
    operations: ['POST /people'],
    maker: 'A user within its own scopes; the operator by `namehold person invite`.',
    grants:
      'Membership with the role and scopes of the invitation. A new user exists only after the code that was mailed to its address is redeemed; an existing user needs its own password.',
    ends: 'Use, 24 hours, five wrong passwords, withdrawal, another invitation for the address, a change of role or removal of the user who made it.',
    counter: `${code}; wrong passwords of an existing user count as at the sign-in`,
    notified: 'The invited address, by mail; owner of the account when it is used, by mail.',
  },
  {
    id: 'recovery_link',
    credential: 'Link for a new password of a user',
    operations: ['POST /recovery'],
    maker: 'Anybody; the link goes to the mailbox of the user only.',
    grants: 'A new password. A second factor stays.',
    ends: 'Use of this or another link or recovery code, 30 minutes, another link, a recovery code by the operator, a new password.',
    counter: `${code}; three requests in 15 minutes for one address, 30 from one network`,
    notified: 'The user, by mail.',
  },
  {
    id: 'operator_recovery',
    credential: 'Recovery code of a user, by the operator',
    operations: [],
    made: '`namehold person recover`',
    maker: 'Whoever runs the service.',
    grants: 'A new password; with `--factors` the second factors are removed.',
    ends: 'Use of this or a mailed link, 24 hours, another code, a new password. A mailed link does not end it, because anybody can request one.',
    counter: code,
    notified: 'Audit log.',
  },
  {
    id: 'user_password',
    credential: 'Password of a user',
    operations: ['PUT /me/password', 'POST /session/code'],
    maker: 'The user.',
    grants: 'A session; with a second factor, the first step of one.',
    ends: 'Another password. All other sessions of the user end with it, in every process at once.',
    counter: userPassword,
    notified: 'Audit log.',
  },
  {
    id: 'passkey',
    credential: 'Passkey',
    operations: ['POST /me/passkeys'],
    maker: 'The user, after a proof that is no older than ten minutes.',
    grants: 'A session, and the proof for sensitive operations.',
    ends: 'Removal by the user, a reset of factors. Other sessions of the user end with each change.',
    counter: `A signature, not guessable; ${network}. Challenges are signed and not stored.`,
    notified: 'Audit log.',
  },
  {
    id: 'totp',
    credential: 'Authenticator (TOTP)',
    operations: ['POST /me/totp', 'PUT /me/totp'],
    maker: 'The user, after a proof that is no older than ten minutes.',
    grants: 'The second step of signing in, and the proof for sensitive operations.',
    ends: 'Removal by the user, a reset of factors. Each code counts once.',
    counter:
      '10 in 15 minutes for one user, apart from every other kind of code; a known browser or running session has 10 of its own (known browsers together 30). Enrolment has its own counter.',
    notified: 'Audit log.',
  },
  {
    id: 'recovery_code',
    credential: 'Recovery codes',
    operations: ['POST /me/recovery_codes'],
    maker: 'The user, with a second factor.',
    grants: 'The second step of signing in, each once.',
    ends: 'Use, new codes, removal of the last factor, a reset of factors.',
    counter: '120 random bits; 10 in 15 minutes for one user; a known browser has 10 of its own (together 30)',
    notified: 'Audit log.',
  },
  {
    id: 'user_session',
    credential: 'Session of a user',
    operations: ['POST /session', 'POST /session/passkey', 'POST /session/factor'],
    maker: 'The user, with its password and second factor or with a passkey.',
    grants: 'The role and scopes of the user in one account.',
    ends: 'Sign-out, 12 hours unused or 30 days (operator: one hour and 12 hours), a new password, a change of factors, a change of role, suspension or removal: in every process at once. Only the daily rotation leaves the old secret good, for a minute.',
    counter: unguessable,
    notified: 'Audit log.',
  },
  {
    id: 'customer_password',
    credential: 'Password of a customer',
    operations: ['POST /customers'],
    maker: 'A key or user with the scope. At first the customer has no access.',
    grants: 'A session with the access of the customer, as soon as it has any.',
    ends: 'Another password, an access that its maker may not give, revocation of the key that chose it (unless `keep_passwords`), deletion or suspension of the customer.',
    counter: accountPassword,
    notified: 'Nobody: it opens nothing before access is granted.',
  },
  {
    id: 'customer_access',
    credential: 'Access of a customer',
    operations: ['PUT /customers/{customer_id}/access'],
    maker: 'A key or user with every scope that the access confers, or `full`.',
    grants: 'The access to whoever has the password of the customer.',
    ends: 'Access `none`: sessions end at once.',
    counter: 'No secret.',
    notified: 'Owner of the account, by mail and event `customer.access_granted`.',
  },
  {
    id: 'customer_temp_password',
    credential: 'Temporary password of a customer',
    operations: ['POST /customers/{customer_id}/invitation', 'GET /customers/temp_password'],
    maker: 'A key or user with every scope that the access of the customer confers, or `full`.',
    grants: 'A session with the access of the customer, and a password of its own.',
    ends: 'Use, three days, another temporary password, revocation of the key or removal of the user that made it. Sessions that were opened with it end with the maker; so does the password that was chosen with it, where a key made it.',
    counter: accountPassword,
    notified: 'Owner of the account, by mail and event `customer.access_granted`.',
  },
  {
    id: 'customer_session',
    credential: 'Session of a customer',
    operations: ['POST /session'],
    maker: 'The customer, with its password.',
    grants: 'The access of the customer.',
    ends: 'Sign-out, 12 hours unused (kept: 30 days), a new password, access `none`, suspension or deletion of the customer, revocation of the key or removal of the user whose password opened it: in every process at once.',
    counter: unguessable,
    notified: 'Audit log.',
  },
  {
    id: 'known_browser',
    credential: 'Cookie of a known browser',
    operations: ['POST /session', 'POST /session/code', 'POST /session/passkey', 'POST /session/factor'],
    maker: 'Whoever signed in with the browser.',
    grants: 'Nothing but a counter of its own for wrong passwords.',
    ends: '180 days after the last sign-in.',
    counter: 'Signed, with its day.',
    notified: 'Nobody.',
  },
  {
    id: 'auth_code',
    credential: 'Transfer code of a domain',
    operations: ['GET /domains/{domain_id}/auth_code', 'PUT /domains/{domain_id}/auth_code'],
    maker: 'A key or user with the scope; with approval, where the account protects it.',
    grants: 'A transfer of the domain, or a move to another reseller of the service.',
    ends: '14 days, another code, a transfer or move.',
    counter:
      '20 wrong codes a day for one account that claims domains; 20 a day for one domain name and all accounts below the same top account.',
    notified: 'Event `domain.auth_code_given`.',
  },
  {
    id: 'approval',
    credential: 'Approval of a protected change',
    operations: ['POST /operations/{operation_id}/approve'],
    maker:
      'A key or user that existed before the request, shares no secret with the one that requested it, and did not move the domain to its present customer.',
    grants: 'One change.',
    ends: 'Approval, rejection, or the end of the waiting time.',
    counter: 'No secret.',
    notified: 'Events `approval.requested`, `approval.given`, `approval.declined`, `approval.lapsed`.',
  },
  {
    id: 'confirmation_link',
    credential: 'Confirmation link in a mail',
    operations: [],
    made: 'Mailed when a registrant or the owner of a mail target has to confirm.',
    maker: 'The service.',
    grants: 'The confirmation that the page shows, nothing else.',
    ends: 'The time that the mail names, if nobody answers. The link of a registrant also ends with its use; by the link of a mail target its owner can stop and agree again for ten years.',
    counter: unguessable,
    notified: 'The account, by event.',
  },
];
