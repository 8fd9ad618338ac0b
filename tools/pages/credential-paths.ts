/** One kind of credential. `docs/operate/security-model.md` is generated from this list, and a test checks it. */
export interface CredentialPath {
  readonly id: string;
  readonly credential: string;
  /** Operations that create it, as `METHOD /path`; the page shows their scopes. Empty: see `made`. */
  readonly operations: readonly string[];
  /** How it is created, if not by an operation. */
  readonly made?: string;
  /** Who may create it, in addition to the scope of the operation. */
  readonly maker: string;
  readonly grants: string;
  readonly ends: string;
  /** What limits guessing. */
  readonly counter: string;
  readonly notified: string;
}

const perLogin = (whose: string) =>
  `10 in 15 minutes for ${whose} from one network, 20 from all networks together; a known browser or session has its own 10. A success clears only the counter of its network or browser.`;
const userPassword = perLogin('one email address');
const accountPassword = perLogin('one email address in one account');
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
    ends: 'Revocation and expiry (in every process within five seconds), deletion of the account. Rotation ends the old secret after its overlap. Keys that it issued end with it if the caller requests it (`revoke_issued_keys`).',
    counter: `${code} and 300 a minute for one account`,
    notified: 'Owner of the account, by mail.',
  },
  {
    id: 'account_password',
    credential: 'Password of a new account',
    operations: ['POST /resellers'],
    maker: 'The parent account, with `full`.',
    grants:
      'Creation of the first owner of the account, after the mailbox of the account is verified; with an invitation, its first API key.',
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
    ends: 'Use, three days, another temporary password, revocation of the key that created it. A key made with it and an invitation ends if the caller requests it (`revoke_issued_keys`).',
    counter: accountPassword,
    notified: 'Owner of the account, by mail and event `account.temp_password_made`.',
  },
  {
    id: 'account_invitation',
    credential: 'Invitation of a sub-reseller',
    operations: ['POST /resellers/{reseller_id}/invitations'],
    maker: 'The parent account, with `full`.',
    grants: 'Together with the password of the sub-reseller: its first API key.',
    ends: 'Use, 24 hours, five wrong passwords, revocation of the key or removal of the user that created it. The key made with it ends with the inviting key if the caller requests it (`revoke_issued_keys`).',
    counter: `${code}; five wrong passwords for one invitation, 10 in 15 minutes for one account`,
    notified: 'Owner of the sub-reseller when it is used, by mail; both accounts by event `invitation.accepted`.',
  },
  {
    id: 'user_invitation',
    credential: 'Invitation of a user',
    operations: ['POST /users'],
    maker: 'A user within its own scopes; the operator by `namehold user invite`.',
    grants:
      'Membership with the role and scopes of the invitation. A new user exists only after the code that was mailed to its address is redeemed; an existing user needs its own password.',
    ends: 'Use, 24 hours, five wrong passwords, withdrawal, another invitation for the address, the revocation of the session that made it, a change of role or removal of the inviting user.',
    counter: `${code}; wrong passwords of an existing user count as at sign-in`,
    notified: 'The invited address, by mail; owner of the account when it is used, by mail.',
  },
  {
    id: 'recovery_link',
    credential: 'Link for a new password of a user',
    operations: ['POST /recovery'],
    maker: 'Anyone; the link is mailed to the user only.',
    grants: 'A new password. A second factor stays.',
    ends: 'Use of this or another link or recovery code, 30 minutes, another link, a recovery code by the operator, a new password.',
    counter: `${code}; three requests in 15 minutes for one mailbox, 30 from one network`,
    notified: 'The user, by mail.',
  },
  {
    id: 'operator_recovery',
    credential: 'Recovery code of a user, by the operator',
    operations: [],
    made: '`namehold user recover`',
    maker: 'The operator, on the command line.',
    grants: 'A new password; with `--factors` the second factors are removed.',
    ends: 'Use of this or a mailed link, 24 hours, another code, a new password. A request for a mailed link does not end it, because anyone can make one.',
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
    maker: 'The user, authenticated within the last ten minutes.',
    grants: 'A session, and recent authentication for sensitive operations.',
    ends: 'Removal by the user, a reset of factors. Other sessions of the user end with each change.',
    counter: `A signature, not guessable; ${network}. Challenges are signed and not stored.`,
    notified: 'Audit log.',
  },
  {
    id: 'totp',
    credential: 'Authenticator (TOTP)',
    operations: ['POST /me/totp', 'PUT /me/totp'],
    maker: 'The user, authenticated within the last ten minutes.',
    grants: 'The second factor of a sign-in, and recent authentication for sensitive operations.',
    ends: 'Removal by the user, a reset of factors. Each code can be used once.',
    counter:
      '10 in 15 minutes for one user, counted separately from other codes; a known browser or running session has its own 10 (known browsers together 30). Enrolment has its own counter.',
    notified: 'Audit log.',
  },
  {
    id: 'recovery_code',
    credential: 'Recovery codes',
    operations: ['POST /me/recovery_codes'],
    maker: 'The user, with a second factor.',
    grants: 'The second factor of a sign-in, each once.',
    ends: 'Use, new codes, removal of the last factor, a reset of factors.',
    counter: '120 random bits; 10 in 15 minutes for one user; a known browser has its own 10 (together 30)',
    notified: 'Audit log.',
  },
  {
    id: 'user_session',
    credential: 'Session of a user',
    operations: ['POST /session', 'POST /session/passkey', 'POST /session/factor'],
    maker: 'The user, with its password and second factor or with a passkey.',
    grants: 'The role and scopes of the user in one account.',
    ends: 'Sign-out, 12 hours unused or 30 days (operator: one hour and 12 hours), a new password, a change of factors, a change of role, suspension or removal: in every process at once. Only after the daily rotation the old secret stays valid, for a minute.',
    counter: unguessable,
    notified: 'Audit log.',
  },
  {
    id: 'customer_password',
    credential: 'Password of a customer',
    operations: ['POST /customers'],
    maker: 'A key or user with the scope. At first the customer has no access.',
    grants: 'A session with the access of the customer, as soon as it has any.',
    ends: 'Another password, an access that its creator may not grant, revocation of the key that set it (unless `keep_passwords`), deletion or suspension of the customer.',
    counter: accountPassword,
    notified: 'None: it grants nothing before the customer has access.',
  },
  {
    id: 'customer_access',
    credential: 'Access of a customer',
    operations: ['PUT /customers/{customer_id}/access'],
    maker: 'A key or user with every scope that the access confers, or `full`.',
    grants: 'Access with the password of the customer.',
    ends: 'Access `none`: sessions end at once, and access that is given back later does not restore them.',
    counter: 'No secret.',
    notified:
      'Owner of the account, by mail and event `customer.access_granted`; of a reduction by mail and `customer.access_reduced`.',
  },
  {
    id: 'customer_temp_password',
    credential: 'Temporary password of a customer',
    operations: ['POST /customers/{customer_id}/invitation', 'GET /customers/temp_password'],
    maker: 'A key or user with every scope that the access of the customer confers, or `full`.',
    grants: 'A session with the access of the customer, and a password of its own.',
    ends: 'Use, three days, another temporary password, revocation of the key or removal of the user that created it. Sessions opened with it end with its creator. A password chosen with it ends too, if a key created it.',
    counter: accountPassword,
    notified: 'Owner of the account, by mail and event `customer.access_granted`.',
  },
  {
    id: 'customer_session',
    credential: 'Session of a customer',
    operations: ['POST /session'],
    maker: 'The customer, with its password.',
    grants: 'The access of the customer.',
    ends: 'Sign-out, 12 hours unused (kept: 30 days), a new password, access `none`, suspension or deletion of the customer. Also revocation of the key or removal of the user that issued the password. It ends in every process at once.',
    counter: unguessable,
    notified: 'Audit log.',
  },
  {
    id: 'known_browser',
    credential: 'Cookie of a known browser',
    operations: ['POST /session', 'POST /session/code', 'POST /session/passkey', 'POST /session/factor'],
    maker: 'The user or customer who signed in with the browser.',
    grants: 'Only a separate counter for wrong passwords.',
    ends: '180 days after the last sign-in.',
    counter: 'Signed, with its date.',
    notified: 'None.',
  },
  {
    id: 'auth_code',
    credential: 'Auth code of a domain',
    operations: ['GET /domains/{domain_id}/auth_code', 'PUT /domains/{domain_id}/auth_code'],
    maker: 'A key or user with the scope; with approval, if the account requires it.',
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
      'A key or user that existed before the request and shares no secret with the one that requested it. It must not have moved the domain to its present customer.',
    grants: 'One change.',
    ends: 'Approval, rejection, or expiry. Revocation of the key or session, or removal of the user, that requested the change: it can only be declined.',
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
    ends: 'The time in the mail, if it is not used. The link of a registrant also ends with its use; with the link of a mail target, its owner can stop and resume for ten years.',
    counter: unguessable,
    notified: 'The account, by event.',
  },
];
