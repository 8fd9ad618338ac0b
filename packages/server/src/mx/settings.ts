import type { Config } from '../config.ts';
import type { MessageLimitSettings } from './message-limits.ts';
import type { SmtpAddress } from './presented-certificate.ts';

/** What stands beside Postfix needs of the settings. */
export interface MxSettings {
  readonly databaseUrl: string;
  readonly host: string;
  readonly ports: { readonly maps: number; readonly policy: number };
  /** Where Postfix finds Unix sockets; undefined: nowhere. */
  readonly socketDir?: string | undefined;
  readonly mailDomain: string;
  readonly srsSecrets: readonly string[];
  /** Domains of the service's own mail. */
  readonly writtenDomains: readonly string[];
  readonly postmaster: string;
  readonly limits: MessageLimitSettings;
  /** The program that shows Postfix's queue, with its words; none: it is not looked at. */
  readonly postqueue: readonly string[];
  /** The program that shows Postfix's settings, with its words; none: what Postfix presents is not looked at. */
  readonly postconf: readonly string[];
  readonly mailHosts: readonly string[];
  /** Where Postfix reads key and certificate; undefined: the operator brings them. */
  readonly certificateFile: string | undefined;
  readonly smtp: SmtpAddress;
}

/** What is missing, in words, where mail cannot be forwarded. */
export function mxSettings(config: Config, databaseUrl: string): MxSettings | { readonly missing: string } {
  const { mailDomain, srsSecrets } = config;
  if (mailDomain === undefined) return { missing: 'NAMEHOLD_MAIL_DOMAIN is not set: in whose name is mail sent on?' };
  if (srsSecrets.length === 0)
    return {
      missing: 'NAMEHOLD_SRS_SECRETS is not set: make one with openssl rand -hex 32, the same on every mail host',
    };
  const written = [config.mailFrom, config.mailBounce].flatMap(
    (address) => address?.split('@')[1]?.toLowerCase() ?? [],
  );
  return {
    databaseUrl,
    host: config.mxHost,
    ports: { maps: config.mxPort, policy: config.mxPolicyPort },
    socketDir: config.mxSocketDir,
    mailDomain,
    srsSecrets,
    writtenDomains: written,
    postmaster: config.abuseAddress,
    limits: { perHour: config.mailPerHour, perDay: config.mailPerDay },
    postqueue: config.postqueue,
    postconf: config.postconf,
    mailHosts: config.mailHosts,
    certificateFile: config.mxCertificateFile,
    smtp: config.mxSmtp,
  };
}
