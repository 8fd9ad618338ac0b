import { readFileSync } from 'node:fs';
import nodemailer from 'nodemailer';
import type { Config } from '../config.ts';
import type { Delivery, Mail, Mailer } from '../core/ports/mailer.ts';

const smtpLimits = {
  connectMs: 15_000,
  greetingMs: 15_000,
  silenceMs: 60_000,
  connections: 2,
  mailsPerConnection: 100,
};

/** Sends mail by SMTP. Addresses are validated earlier and passed as objects, so no header text is parsed again. */
export function smtpMailer(config: Config): Mailer | undefined {
  const server = config.smtpUrl;
  if (!server) return undefined;
  const transport = nodemailer.createTransport({
    pool: true,
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'required',
    ignoreTLS: server.tls === 'none',
    ...(server.user ? { auth: { user: server.user, pass: server.password ?? '' } } : {}),
    ...dkimOf(config),
    maxConnections: smtpLimits.connections,
    maxMessages: smtpLimits.mailsPerConnection,
    connectionTimeout: smtpLimits.connectMs,
    greetingTimeout: smtpLimits.greetingMs,
    socketTimeout: smtpLimits.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      try {
        const { response } = await transport.sendMail(messageOf(mail));
        return { kind: 'sent', reply: response };
      } catch (error) {
        return deliveryOf(error as SmtpError);
      }
    },
    async close() {
      transport.close();
    },
  };
}

function dkimOf(config: Config) {
  const { dkimDomain, dkimSelector, dkimKeyFile } = config;
  if (!dkimDomain || !dkimSelector || !dkimKeyFile) return {};
  return {
    dkim: { domainName: dkimDomain, keySelector: dkimSelector, privateKey: readFileSync(dkimKeyFile, 'utf8') },
  };
}

function messageOf(mail: Mail) {
  const [, host] = mail.returnTo.split('@') as [string, string];
  return {
    from: mail.from,
    to: [mail.to],
    ...(mail.replyTo ? { replyTo: { name: mail.from.name, address: mail.replyTo } } : {}),
    envelope: { from: mail.returnTo, to: [mail.to.address] },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.at,
    // The same Message-ID for every attempt, so that duplicates are recognisable.
    messageId: `<${mail.noticeId}@${host}>`,
    headers: {
      // RFC 3834: suppresses automatic replies.
      'Auto-Submitted': 'auto-generated',
      'Content-Language': mail.language,
    },
    encoding: 'utf-8',
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** RFC 5321 4.2.1: 5yz is permanent, 4yz temporary. A refused login or no answer concerns the server and not the message. */
function deliveryOf({ code, responseCode, response, message }: SmtpError): Delivery {
  const reply = response ?? message;
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isAboutMail || responseCode === undefined || responseCode === 421) return { kind: 'unreachable', reply };
  return { kind: responseCode >= 500 ? 'refused' : 'retry_later', reply };
}
