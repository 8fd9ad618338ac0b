/** A counter or shared place that another party can drive up. */
interface ExhaustibleLimit {
  readonly limit: string;
  readonly driver: string;
  /** Whose work stops meanwhile. */
  readonly stops: string;
  /** What stays possible. */
  readonly remains: string;
}

export const exhaustibleLimits: readonly ExhaustibleLimit[] = [
  {
    limit: 'Mail to one mailbox in 24 hours, of all accounts that did not prove it',
    driver: 'Any account that sends mail to an address of its choice.',
    stops: 'Mail of other accounts that did not prove the address.',
    remains:
      'Five mails of each group to the own address of an account, for the first five accounts of a mailbox below one top account; two of each kind about a domain to its registrant; the first warning to a replaced address. Proven addresses are not affected. Calls that announce a mail are refused with 429.',
  },
  {
    limit: 'Mail of one account in 24 hours',
    driver: 'The account, its users and customers, and its parent by calls about it.',
    stops: 'Further mail of the same group of this account.',
    remains:
      'The other groups, and mail that policy demands. Of warnings, one last mail says that no further ones about this topic are sent. The operator has an alarm.',
  },
  {
    limit: 'Queue of outgoing mail',
    driver: 'Accounts that cause much mail, within their daily limits.',
    stops: 'Mail of all accounts waits longer; it is sent in the order of its arrival.',
    remains:
      'Nothing is lost. After an hour the operator has an alarm. There is no share for each account, because the daily limits bound what an account can add.',
  },
  {
    limit: 'Consent mail to one mailbox in a day: three',
    driver: 'Any customer with a domain.',
    stops: 'Further consent mail to this mailbox.',
    remains: 'One mail a day of each customer. `delayed_until` shows when another one is sent.',
  },
  {
    limit: 'Refusal of consent by the owner of a mailbox',
    driver: 'The owner, also of a sub-address (`user+1@`) of the mailbox.',
    stops: 'Waiting and new requests of all customers to this mailbox.',
    remains: 'Existing confirmations. The owner can allow it again by any of the links.',
  },
  {
    limit: 'Invitations and first-owner links: three in 15 minutes for one mailbox (`user+1@` is `user@`) and account',
    driver: 'The users of the account, and for the link anyone with its password.',
    stops: 'Invitations of this account to this mailbox.',
    remains: 'Other accounts are not affected. The operator can invite with `namehold user invite`.',
  },
  {
    limit:
      'Requests for a new password: three in 15 minutes for one mailbox (`user+1@` is `user@`), 30 from one network',
    driver: 'Anyone who knows the address, or shares the network.',
    stops: '`POST /recovery` of the user, with 429.',
    remains:
      'Each accepted request mails a link to the user, and the newest link is valid for 30 minutes. Passkeys, the password and running sessions work. `namehold user recover` gives a code that such requests do not end.',
  },
  {
    limit: 'Wrong passwords for one login',
    driver: 'Anyone who knows the email address.',
    stops: 'Sign-in from unknown browsers, after 20 attempts from several networks.',
    remains: 'Known browsers and running sessions have counters of their own. Passkeys and mailed links work.',
  },
  {
    limit: 'Wrong passwords with an invitation of a sub-reseller',
    driver: 'Anyone with the invitation.',
    stops: 'The invitation after five; further attempts for the account for 15 minutes after ten.',
    remains: 'The parent can create another invitation.',
  },
  {
    limit: 'Failed authentication: 30 a minute from one network, 300 for one account ID',
    driver: 'Anyone in the network, or anyone who knows the account ID.',
    stops: 'Public calls with passwords or tokens from that network; wrong keys of that account ID.',
    remains: 'A correct key and a running session always work.',
  },
  {
    limit:
      'Computation of password hashes: 4 at once; 32 sign-ins of unknown browsers waiting in a process, and 32 of known ones, 16 of each from one site',
    driver: 'For one kind of browser, anyone with two sites (an IPv4 /24 or IPv6 /48).',
    stops: 'Sign-ins of this kind of browser get 429 with `Retry-After: 1`.',
    remains:
      'Keys, sessions and passkeys, and sign-ins of the other kind. Top accounts that set passwords, and sites, take turns, and do not take places of sign-ins.',
  },
  {
    limit: 'Budget of requests of an address',
    driver: 'Everyone behind the same IP address.',
    stops: 'Calls from that address, with 429.',
    remains: 'Calls from other addresses.',
  },
  {
    limit: 'Connections of one network, a quarter of all for one site, and all connections of a process',
    driver:
      'Anyone in the network or in the site (an IPv4 /24 or IPv6 /48); for all connections, someone with four sites.',
    stops:
      'New connections of the network or site. If four sites use all connections, new connections of all clients are refused. A nameserver closes idle ones instead.',
    remains: 'Trusted proxies are exempt; limit connections there too.',
  },
  {
    limit: 'Request bodies without credentials',
    driver: 'Anyone, within the shares of a network and a site.',
    stops: 'Public calls with a body.',
    remains: 'Calls with credentials have places of their own.',
  },
  {
    limit: 'Bytes of request bodies in a process: 128 MiB, 96 MiB of them below one top account, 32 MiB of one account',
    driver: 'The accounts below the same top account. Two top accounts together can use all of it.',
    stops:
      'Calls with a body of these accounts get 503, for as long as slow bodies last (30 seconds each). If two top accounts use all of it, calls of all accounts get 503.',
    remains:
      'Calls of other top accounts, and calls without a body. The parent or the operator can suspend the accounts.',
  },
  {
    limit: 'Requests in progress in a process: three quarters of them below one top account, half of one account',
    driver: 'The accounts below the same top account. Two top accounts together can use all of it.',
    stops:
      'Calls of these accounts get 503, while the requests last. If two top accounts use all of it, calls of all accounts get 503.',
    remains:
      'Calls of other top accounts, calls that settle money, and health checks. The parent or the operator can suspend the accounts.',
  },
  {
    limit:
      'Database connections for writes in a process: three quarters of them below one top account, a third of one account',
    driver: 'The accounts below the same top account. Two top accounts together can use all of it.',
    stops:
      'Writes of these accounts wait, and get 503 while they wait too long. If two top accounts use all of it, writes of all accounts wait.',
    remains:
      'Writes of other top accounts, reads, calls that settle money, and health checks. The settlement of operations counts only to the share of its account. The parent or the operator can suspend the accounts.',
  },
  {
    limit: 'Sessions and commands a second of a registry',
    driver: 'Accounts with many queries, each within its budget of units; each sub-reseller has its own budget.',
    stops: 'Availability checks and other queries at that registry wait, and fail after a time.',
    remains:
      'Orders, which go first and have sessions of their own. There is no share for each account, because one command checks domain names of several accounts.',
  },
  {
    limit: 'Event streams of a process: 1,000, a quarter of them below one top account, 10 of one account',
    driver: 'The accounts below the same top account.',
    stops: 'Further streams of these accounts get 429.',
    remains: 'Streams of other top accounts. `GET /events` has the same log.',
  },
  {
    limit: 'Large zones and documents: 64 waiting, 48 of them below one top account, three of one account',
    driver: 'The accounts below the same top account; for all of it, two top accounts with many sub-resellers.',
    stops: 'Large zones and documents of these accounts get 429 or wait, for up to two minutes.',
    remains:
      'The top accounts take turns: others wait only for the task that runs. All other calls. The parent or the operator can suspend the accounts.',
  },
  {
    limit: 'Certificate orders in three hours: 240, 60 of them below one top account',
    driver: 'Four top accounts together.',
    stops: 'New certificates of all accounts wait.',
    remains: 'Present certificates are served. Mail hosts have 20 orders of their own. The operator has an alarm.',
  },
  {
    limit: 'Wrong auth codes for one domain name: 20 a day below one top account',
    driver: 'The accounts below the same top account.',
    stops: 'Claims of the domain name by these accounts.',
    remains: 'Claims by accounts below other top accounts.',
  },
];
