import { NameError, normaliseName } from '@namehold/base';
import { ValueProblem } from './value-problem.ts';

/** RFC 5321 4.5.3.1. */
const emailLimits = { localBytes: 64, totalBytes: 254 };

// RFC 5322 dot-atom. Quoted local parts are legal and practically unused.
const asciiLocal = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// RFC 6531 also allows UTF-8; here letters, marks and digits, not every Unicode symbol.
const internationalLocal = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;

/**
 * The address with its domain in ASCII (UTS 46), in which addresses are stored and compared: every spelling of a domain is one mailbox.
 * Letter case stays. A text that is no address stays as it is.
 */
export function asciiAddress(text: string): string {
  const email = text.normalize('NFC');
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  if (at < 1 || isAscii(domain)) return email;
  try {
    return `${email.slice(0, at)}@${normaliseName(domain)}`;
  } catch (error) {
    if (error instanceof NameError) return email;
    throw error;
  }
}

const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);

/** Whether mail to both reaches the same mailbox. Sub-addresses differ. */
export const sameAddress = (one: string, other: string): boolean =>
  asciiAddress(one).toLowerCase() === asciiAddress(other).toLowerCase();

/**
 * The address in the form in which it is stored. An ASCII address stays as sent: a client compares it character by character with its
 * own.
 */
export function readEmail(text: string): string {
  const email = text.normalize('NFC');
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const domain = email.slice(at + 1);
  const refuse = () => new ValueProblem('Must be an email address such as name@example.com.');
  if (at < 1 || !(asciiLocal.test(local) || internationalLocal.test(local))) throw refuse();
  const stored = asciiAddress(email);
  if (Buffer.byteLength(local) > emailLimits.localBytes || Buffer.byteLength(stored) > emailLimits.totalBytes) {
    throw new ValueProblem(
      `Must have at most ${emailLimits.totalBytes} bytes, and ${emailLimits.localBytes} before the @.`,
      'too_long',
    );
  }
  try {
    const name = normaliseName(domain);
    // A bare label or an address literal cannot receive mail from the internet.
    if (!name.includes('.') || /[.\u3002\uff0e\uff61]$/.test(domain) || /\.\d+$/.test(name)) throw refuse();
  } catch (error) {
    if (error instanceof NameError) throw refuse();
    throw error;
  }
  return stored;
}
