import { escapeMarkup } from '../core/forwarding/markup.ts';
import { writeMetaTags } from '../core/forwarding/masking.ts';
import type { Masking } from '../core/forwarding/rule.ts';

const sentences: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['Bad request', 'The request could not be read.'],
  404: ['Not found', 'Nothing is forwarded from this address.'],
  405: ['Method not allowed', 'This address does not accept this type of request.'],
  410: ['Gone', 'This domain is not in service.'],
  429: ['Too many requests', 'Please wait a moment and try again.'],
  503: ['Service unavailable', 'Please try again in a moment.'],
  508: ['Redirect loop', 'This address forwards to itself.'],
};

export type PageStatus = 400 | 404 | 405 | 410 | 429 | 503 | 508;

/** A static page, the same for every host. It contains no input of the request. */
export function plainPage(status: PageStatus, abuseAddress: string): string {
  const [title, text] = sentences[status]!;
  const abuse = abuseAddress === '' ? '' : `<p>To report abuse: ${escapeMarkup(abuseAddress)}</p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p>${abuse}</body></html>\n`;
}

/** A page with one frame. */
export function maskingPage(masking: Masking, location: string, nonce: string): string {
  return [
    '<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    writeMetaTags(masking),
    `<style nonce="${nonce}">html,body{margin:0;height:100%}iframe{border:0;display:block;width:100%;height:100%}</style>`,
    `</head><body><iframe src="${escapeMarkup(location)}">${masking.text}</iframe></body></html>`,
    '',
  ].join('\n');
}
