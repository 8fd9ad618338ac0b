import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { House } from '../core/house.ts';
import { escapeHtml } from '../core/notices/compose.ts';
import { type Confirmable, confirmHolder, readConfirmation } from '../core/verification/confirm.ts';
import { plainAddress } from './authenticate.ts';
import { bodyLimits } from './body.ts';

const words = {
  en: {
    title: 'Confirm your e-mail address',
    lead: 'You confirm to {brand} that you can be reached at',
    names: 'It is the address of the holder of:',
    button: 'Confirm this address',
    done: 'Thank you. The address is confirmed.',
  },
  id: {
    title: 'Konfirmasi alamat email Anda',
    lead: 'Anda mengonfirmasi kepada {brand} bahwa Anda dapat dihubungi di',
    names: 'Ini adalah alamat pemilik:',
    button: 'Konfirmasi alamat ini',
    done: 'Terima kasih. Alamat telah dikonfirmasi.',
  },
};

function page(language: string, title: string, body: string): string {
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>body{font:18px/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.2rem}</style><main><h1>${title}</h1>${body}</main></html>`;
}

/** The same for whatever cannot be confirmed, so that nobody learns which it was. */
const nothing = page(
  'en',
  'There is nothing to confirm here',
  '<p>This link was used, is too old, or is not complete. If you are still asked to confirm, have a new mail sent to you.</p><p lang="id">Tautan ini sudah digunakan, kedaluwarsa, atau tidak lengkap. Jika Anda masih diminta mengonfirmasi, mintalah email baru.</p>',
);

/** What is confirmed stands on the page, before and after. */
function subject({ language, brand, address, names }: Confirmable): string {
  const said = words[language];
  const list = names.map((name) => `<li>${escapeHtml(name)}</li>`).join('');
  return `<p>${escapeHtml(said.lead.replace('{brand}', () => brand))} <strong>${escapeHtml(address)}</strong>.</p><p>${said.names}</p><ul>${list}</ul>`;
}

/** A form without a target posts to the page itself: the token is in no attribute, and no script is needed. */
const asking = (shown: Confirmable) =>
  page(
    shown.language,
    words[shown.language].title,
    `${subject(shown)}<form method="post"><button type="submit">${words[shown.language].button}</button></form>`,
  );

const thanks = (shown: Confirmable) => page(shown.language, words[shown.language].done, subject(shown));

const headers = {
  'Cache-Control': 'no-store',
  // The address of the page is the proof: nobody else learns it.
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};

type Budget = (request: FastifyRequest) => Promise<void>;

/** Public, without an account: whoever has the mail has the right. GET shows, POST confirms: scanners of mail confirm nothing. */
export function installConfirmPage(fastify: FastifyInstance, house: House, budget: Budget): void {
  const answer = (reply: FastifyReply, html: string | undefined) =>
    reply
      .code(html ? 200 : 404)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(html ?? nothing);
  const options = {
    config: { routePath: '/confirm/{token}' },
    bodyLimit: bodyLimits.strangerBytes,
    onRequest: (request: FastifyRequest) => budget(request),
  };
  fastify.get<{ Params: { token: string } }>('/confirm/:token', options, async (request, reply) => {
    const shown = await readConfirmation(house, request.params.token);
    return answer(reply, shown && asking(shown));
  });
  fastify.post<{ Params: { token: string } }>('/confirm/:token', options, async (request, reply) => {
    const shown = await confirmHolder(house, request.params.token, plainAddress(request.ip));
    return answer(reply, shown && thanks(shown));
  });
}
