/** RFC 3464: what a mail server reports of a mail that it could not deliver. */
export interface DeliveryReport {
  readonly action: string;
  /** RFC 3463, such as 5.1.1. */
  readonly status: string;
  readonly diagnostic: string;
  /** The failed recipient, and the original recipient; empty if not reported. */
  readonly recipient: string;
  readonly writtenTo: string;
}

const diagnosticLength = 300;
const mostRecipients = 100;

/** Header lines, unfolded. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at > 0 && !fields.has(line.slice(0, at).toLowerCase()))
      fields.set(line.slice(0, at).toLowerCase(), line.slice(at + 1).trim());
  }
  return fields;
}

/** `rfc822; somebody@example.net` */
const addressIn = (field = '') => /^\s*(?:rfc822|utf-8)\s*;\s*(\S+@\S+)\s*$/i.exec(field)?.[1] ?? '';

/** About the first recipient; each of our mails has one. */
export function readReport(message: string): DeliveryReport | undefined {
  return readReports(message)[0];
}

/**
 * Only a multipart/report with a message/delivery-status part counts: an out-of-office reply is no report. The parts after the first
 * empty line of that part describe recipients.
 */
export function readReports(message: string): DeliveryReport[] {
  const [head = ''] = message.split(/\r?\n\r?\n/, 1);
  const type = fieldsOf(head).get('content-type') ?? '';
  const boundary = /boundary="?([^";\s]+)"?/i.exec(type)?.[1];
  if (!/^multipart\/report\b/i.test(type) || boundary === undefined) return [];
  for (const part of message.split(`--${boundary}`).slice(1, 6)) {
    const [partHead = '', ...blocks] = part.trim().split(/\r?\n\r?\n/);
    if (!/^message\/(global-)?delivery-status\b/i.test(fieldsOf(partHead).get('content-type') ?? '')) continue;
    return blocks
      .slice(0, mostRecipients + 1)
      .map(fieldsOf)
      .filter((fields) => fields.has('action'))
      .map((fields) => ({
        action: fields.get('action')!.toLowerCase(),
        status: /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '5.0.0',
        diagnostic: (fields.get('diagnostic-code') ?? '').slice(0, diagnosticLength),
        recipient: addressIn(fields.get('final-recipient')),
        writtenTo: addressIn(fields.get('original-recipient')),
      }));
  }
  return [];
}
