import type { Config } from '../config.ts';
import type { MessageLimitSettings } from './message-limits.ts';
import type { SmtpAddress } from './presented-certificate.ts';

/** Settings of `namehold mx`. */
export interface MxSettings {
  readonly databaseUrl: string;
  readonly host: string;
  readonly ports: { readonly maps: number; readonly policy: number };
  /** Folder for Unix sockets. Undefined: none. */
  readonly socketDir?: string | undefined;
  readonly mailDomain: string;
  readonly srsSecrets: readonly string[];
  /** Domains of the service's own mail. */
  readonly writtenDomains: readonly string[];
  readonly postmaster: string;
  readonly limits: MessageLimitSettings;
  /** The postqueue program and its arguments. Empty: the queue is not read. */
  readonly postqueue: readonly string[];
  /** The postconf program and its arguments. Empty: the presented certificate is not checked. */
  readonly postconf: readonly string[];
  readonly mailHosts: readonly string[];
  /** The certificate file of Postfix. Undefined: the operator provides certificates. */
  readonly certificateFile: string | undefined;
  readonly smtp: SmtpAddress;
}

/** The missing settings, as a text, if mail cannot be forwarded. */
export function mxSettings(config: Config, databaseUrl: string): MxSettings | { readonly missing: string } {
  const { mailDomain, srsSecrets } = config;
  if (mailDomain === undefined)
    return { missing: 'NAMEHOLD_MAIL_DOMAIN is not set: set the sender domain of forwarded mail' };
  if (srsSecrets.length === 0)
    return {
      missing: 'NAMEHOLD_SRS_SECRETS is not set: create one with openssl rand -hex 32, the same on every mail host',
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
