import { hostNames, integer, optional, optionalPort, port, setting, srsSecrets, text } from './values.ts';

/** Settings of mail forwarding. */
/** A program and its arguments; empty if it is off. */
const program = (value: string) =>
  value === 'off'
    ? []
    : text(value)
        .split(' ')
        .filter((word) => word !== '');

export const mailForwardingSettings = {
  mailHosts: setting(
    'NAMEHOLD_MAIL_HOSTS',
    '',
    'Mail hosts (Postfix with namehold mx) in order of preference. MX records of domains with mail forwarding point to them. Empty: in sandbox mode a placeholder for the receiver of the service; in production, mail forwarding is not offered.',
    hostNames,
  ),
  mailDomain: setting(
    'NAMEHOLD_MAIL_DOMAIN',
    '',
    'Sender domain of forwarded mail (SRS), with its own SPF record; not a domain of a customer. In production, mail forwarding is not offered without it.',
    (value) => hostNames(value)[0],
  ),
  srsSecrets: setting(
    'NAMEHOLD_SRS_SECRETS',
    '',
    'Secrets for return addresses of forwarded mail (SRS), each at least 16 characters; the first signs new addresses. The same on every mail host.',
    srsSecrets,
  ),
  mailPerHour: setting(
    'NAMEHOLD_MAIL_PER_HOUR',
    '200',
    'Messages an hour that all mail hosts together accept for one domain. Beyond it, senders get a temporary error.',
    integer(1, 1_000_000),
  ),
  mailPerDay: setting('NAMEHOLD_MAIL_PER_DAY', '2000', 'The same limit for a day.', integer(1, 10_000_000)),
  mxHost: setting(
    'NAMEHOLD_MX_HOST',
    '127.0.0.1',
    'Listen address of namehold mx for the local Postfix. Only Postfix may reach it.',
    text,
  ),
  mxPort: setting('NAMEHOLD_MX_PORT', '10030', 'Port of namehold mx for maps (socketmap). 0: a free port.', port),
  mxPolicyPort: setting(
    'NAMEHOLD_MX_POLICY_PORT',
    '10031',
    'Port of namehold mx for the policy service. 0: a free port.',
    port,
  ),
  mxSocketDir: setting(
    'NAMEHOLD_MX_SOCKET_DIR',
    '',
    'Folder for additional Unix sockets of namehold mx (maps, policy), which Postfix uses in place of the ports. It must be in the queue directory of Postfix, such as /var/spool/postfix/namehold. Empty: none.',
    optional,
  ),
  mxMetricsPort: setting(
    'NAMEHOLD_MX_METRICS_PORT',
    '',
    'Port for Prometheus metrics of namehold mx, at NAMEHOLD_METRICS_HOST. Empty: none. 0: a free port.',
    optionalPort,
  ),
  postqueue: setting(
    'NAMEHOLD_MX_POSTQUEUE',
    'postqueue',
    'Program, with its arguments, by which namehold mx reads the queue of the local Postfix. off: it does not.',
    program,
  ),
  postconf: setting(
    'NAMEHOLD_MX_POSTCONF',
    'postconf',
    'Program, with its arguments, by which namehold doctor reads the settings of the local Postfix. off: it does not.',
    program,
  ),
  mxCertificateFile: setting(
    'NAMEHOLD_MX_CERTIFICATE_FILE',
    '',
    'File to which namehold mx writes the key and certificate of its mail host for Postfix, as ordered by the service (NAMEHOLD_ACME_DIRECTORY). Needs the master key. Empty: the operator provides a certificate.',
    optional,
  ),
  mxSmtp: setting(
    'NAMEHOLD_MX_SMTP',
    '127.0.0.1:25',
    'Address of the local Postfix, at which namehold mx and namehold doctor check its certificate.',
    (value) => {
      const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(value) ?? [];
      if (host === undefined) throw new Error('must be an address and a port, such as 127.0.0.1:25');
      return { host, port: integer(1, 65_535)(port!) };
    },
  ),
  sandboxSmtpPort: setting(
    'NAMEHOLD_SANDBOX_SMTP_PORT',
    '2525',
    'Sandbox mode: SMTP port at 127.0.0.1 for mail to domains with mail forwarding, which is kept in the sandbox mailbox. 0: a free port. off: none.',
    optionalPort,
  ),
};
