import { NameError, normaliseName } from '@namehold/base';
import type { Config } from '../../config.ts';
import { badField } from '../errors.ts';

/** RFC 5321 4.5.3.1. */
const addressLimits = { localBytes: 64, addressBytes: 254 };

// A subset of RFC 5322: the rest is used only for abuse, and some characters have a meaning for mail servers (|, /, %, !).
const localForm = /^[a-z0-9_][a-z0-9_+='&~-]*(\.[a-z0-9_+='&~-]+)*$/;

function readLocal(text: string, field: string): string {
  const local = text.toLowerCase();
  if (/^".*"$/s.test(text)) throw badField(field, 'Quoted local parts are not supported.');
  if (/[^\u0000-\u007f]/.test(text)) throw badField(field, 'Must be ASCII before the @.');
  if (local.length > addressLimits.localBytes)
    throw badField(field, `Must have at most ${addressLimits.localBytes} characters before the @.`, 'too_long');
  if (!localForm.test(local))
    throw badField(
      field,
      "Must use letters, digits and . _ + - = ' & ~ before the @, and begin with a letter or digit.",
    );
  return local;
}

/** Parses the local part of an address of the domain, given alone or as the whole address. */
export function readAddress(text: string, domainName: string): string {
  const field = 'email';
  const at = text.lastIndexOf('@');
  if (text === '*' || at === 0)
    throw badField(field, 'Use the catch-all for addresses that have no forwarding of their own.');
  if (at < 0) return readLocal(text, field);
  if (text.slice(0, at).includes('@')) throw badField(field, 'Must not contain more than one @.');
  if (readDomain(text.slice(at + 1), field) !== domainName)
    throw badField(field, `Must be an address of ${domainName}.`);
  return readLocal(text.slice(0, at), field);
}

function readDomain(text: string, field: string): string {
  if (text.startsWith('[')) throw badField(field, 'Must use a domain name, not an IP address in brackets.');
  try {
    const name = normaliseName(text);
    if (name.includes('.') && !text.endsWith('.') && !/\.\d+$/.test(name)) return name;
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
  }
  throw badField(field, 'Must be an email address such as name@example.com.');
}

/** Parses an address elsewhere into lower case and A-labels. */
export function readTarget(text: string, domainName: string, config: Config, field: string): string {
  const at = text.lastIndexOf('@');
  if (at < 1) throw badField(field, 'Must be an email address such as name@example.com.');
  if (text.slice(0, at).includes('@') && !text.startsWith('"'))
    throw badField(field, 'Must not contain more than one @.');
  const local = readLocal(text.slice(0, at), field);
  const domain = readDomain(text.slice(at + 1), field);
  const address = `${local}@${domain}`;
  if (address.length > addressLimits.addressBytes)
    throw badField(field, `Must have at most ${addressLimits.addressBytes} characters.`, 'too_long');
  if (domain === domainName)
    throw badField(field, `Must not be at ${domainName} itself, because email would loop.`, 'loop');
  if (domain === config.mailDomain || mailHosts(config).includes(domain) || /(^|\.)namehold\.invalid$/.test(domain))
    throw badField(field, 'Must not be an address of the forwarding service itself.', 'loop');
  return address;
}

/** The mail hosts for MX records of forwarded domains. In sandbox mode there is always one. */
export function mailHosts(config: Pick<Config, 'mailHosts' | 'mode'>): readonly string[] {
  const { mailHosts: given, mode } = config;
  return given.length === 0 && mode === 'sandbox' ? ['mail.namehold.invalid'] : given;
}

/** Mail hosts are configured, so mail forwarding can be offered. */
export function takesMail(config: Pick<Config, 'mailHosts' | 'mailDomain' | 'mode'>): boolean {
  return config.mode === 'sandbox' || (config.mailHosts.length > 0 && config.mailDomain !== undefined);
}
