/** RFC 3464: what a mail server reports of a mail that it could not deliver. */
export interface DeliveryReport {
  readonly action: string;
  /** RFC 3463, such as 5.1.1. */
  readonly status: string;
  readonly diagnostic: string;
}

const diagnosticLength = 300;

/** Header lines with their folded rest. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at > 0 && !fields.has(line.slice(0, at).toLowerCase()))
      fields.set(line.slice(0, at).toLowerCase(), line.slice(at + 1).trim());
  }
  return fields;
}

/**
 * Only a multipart/report with a message/delivery-status part counts: an answer of somebody on holiday is no report. The parts after the
 * first empty line of that part tell of recipients; each of our mails has one.
 */
export function readReport(message: string): DeliveryReport | undefined {
  const [head = ''] = message.split(/\r?\n\r?\n/, 1);
  const type = fieldsOf(head).get('content-type') ?? '';
  const boundary = /boundary="?([^";\s]+)"?/i.exec(type)?.[1];
  if (!/^multipart\/report\b/i.test(type) || boundary === undefined) return undefined;
  for (const part of message.split(`--${boundary}`).slice(1, 6)) {
    const [partHead = '', ...blocks] = part.trim().split(/\r?\n\r?\n/);
    if (!/^message\/(global-)?delivery-status\b/i.test(fieldsOf(partHead).get('content-type') ?? '')) continue;
    const recipient = blocks.map(fieldsOf).find((fields) => fields.has('action'));
    if (!recipient) return undefined;
    return {
      action: recipient.get('action')!.toLowerCase(),
      status: /^[245]\.\d{1,3}\.\d{1,3}/.exec(recipient.get('status') ?? '')?.[0] ?? '5.0.0',
      diagnostic: (recipient.get('diagnostic-code') ?? '').slice(0, diagnosticLength),
    };
  }
  return undefined;
}
