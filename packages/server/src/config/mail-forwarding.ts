import { hostNames, integer, optional, optionalPort, port, setting, srsSecrets, text } from './values.ts';

/** Forwarding of mail. */
/** A program with its words; none where it is off. */
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
    'Mail hosts (Postfix with namehold mx), the first before the others: names whose mail is forwarded point to them. Empty: in sandbox mode a name that stands for the receiver of the service; in production mail forwarding is not offered.',
    hostNames,
  ),
  mailDomain: setting(
    'NAMEHOLD_MAIL_DOMAIN',
    '',
    'Name in which forwarded mail is sent on (SRS), with an SPF record of its own; not a name of a customer. In production mail forwarding is not offered without it.',
    (value) => hostNames(value)[0],
  ),
  srsSecrets: setting(
    'NAMEHOLD_SRS_SECRETS',
    '',
    'Secrets of return addresses of forwarded mail (SRS), 16 characters or more each, the first makes new ones; the same on every mail host.',
    srsSecrets,
  ),
  mailPerHour: setting(
    'NAMEHOLD_MAIL_PER_HOUR',
    '200',
    'Messages an hour that mail hosts take for one name, together; beyond it senders are asked to try again later.',
    integer(1, 1_000_000),
  ),
  mailPerDay: setting('NAMEHOLD_MAIL_PER_DAY', '2000', 'The same for a day.', integer(1, 10_000_000)),
  mxHost: setting(
    'NAMEHOLD_MX_HOST',
    '127.0.0.1',
    'Address that namehold mx listens on for the Postfix beside it; nobody else may reach it.',
    text,
  ),
  mxPort: setting('NAMEHOLD_MX_PORT', '10030', 'Port of namehold mx for maps (socketmap); 0 takes a free one.', port),
  mxPolicyPort: setting(
    'NAMEHOLD_MX_POLICY_PORT',
    '10031',
    'Port of namehold mx for the policy service; 0 takes a free one.',
    port,
  ),
  mxSocketDir: setting(
    'NAMEHOLD_MX_SOCKET_DIR',
    '',
    'Folder in which namehold mx listens on Unix sockets too (maps, policy), which Postfix then asks in place of the ports: within its queue directory, such as /var/spool/postfix/namehold. Empty: none.',
    optional,
  ),
  mxMetricsPort: setting(
    'NAMEHOLD_MX_METRICS_PORT',
    '',
    'Port for Prometheus metrics of namehold mx, at NAMEHOLD_METRICS_HOST; empty serves none, 0 takes a free one.',
    optionalPort,
  ),
  postqueue: setting(
    'NAMEHOLD_MX_POSTQUEUE',
    'postqueue',
    'Program by which namehold mx looks at the queue of the Postfix beside it, with its words; off: it does not.',
    program,
  ),
  postconf: setting(
    'NAMEHOLD_MX_POSTCONF',
    'postconf',
    'Program by which namehold doctor reads the settings of the Postfix beside it, with its words; off: it does not.',
    program,
  ),
  mxCertificateFile: setting(
    'NAMEHOLD_MX_CERTIFICATE_FILE',
    '',
    'File that namehold mx writes key and certificate of its mail host to, for Postfix, as the service orders them (NAMEHOLD_ACME_DIRECTORY); needs the master key. Empty: the operator gives Postfix a certificate.',
    optional,
  ),
  mxSmtp: setting(
    'NAMEHOLD_MX_SMTP',
    '127.0.0.1:25',
    'Where namehold mx and namehold doctor find the Postfix beside them, to see which certificate it presents.',
    (value) => {
      const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(value) ?? [];
      if (host === undefined) throw new Error('must be an address and a port, such as 127.0.0.1:25');
      return { host, port: integer(1, 65_535)(port!) };
    },
  ),
  sandboxSmtpPort: setting(
    'NAMEHOLD_SANDBOX_SMTP_PORT',
    '2525',
    'Sandbox mode: port at 127.0.0.1 that takes mail for forwarded names (SMTP) and keeps it in the mailbox of the sandbox; 0 takes a free one, off none.',
    optionalPort,
  ),
};
