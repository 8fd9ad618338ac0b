import type { FastifyInstance, FastifyReply } from 'fastify';
import { catalogue, type ErrorCode } from './errors.ts';

const isCode = (code: string): code is ErrorCode => Object.hasOwn(catalogue, code);

/** URL of the page about an error. */
export const errorPageOf = (publicUrl: string, code: ErrorCode): string => `${publicUrl}/errors/${code}`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '`': '' };
const html = (text: string) => text.replace(/[&<>`]/g, (sign) => escapes[sign]!);

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}code{font-size:1.05em}</style>${body}</html>`;
}

/** One page for each code, built once. They are public and need no credentials. */
const pages = new Map(
  (Object.keys(catalogue) as ErrorCode[]).map((code) => {
    const { status, sentence, fix } = catalogue[code];
    return [
      code,
      page(
        code,
        `<h1><code>${code}</code></h1><p>Status ${status}. ${html(sentence)}</p><h2>What to do</h2><p>${html(fix)}</p><p><a href="/errors">All errors</a></p>`,
      ),
    ] as const;
  }),
);
const index = page(
  'Errors',
  `<h1>Errors</h1><ul>${[...pages.keys()].map((code) => `<li><a href="/errors/${code}"><code>${code}</code></a> ${html(catalogue[code].sentence)}</li>`).join('')}</ul>`,
);

const type = 'text/html; charset=utf-8';

const missing = page(
  'Page not found',
  '<h1>Page not found</h1><p>Check the address, or <a href="/app">go to the console</a>.</p><p lang="id">Halaman tidak ditemukan. Periksa alamatnya, atau <a href="/app">buka konsol</a>.</p>',
);

/** For people who mistyped an address. */
export const sendMissingPage = (reply: FastifyReply): FastifyReply => reply.code(404).type(type).send(missing);

export function installErrorPages(fastify: FastifyInstance): void {
  fastify.get('/errors', (_request, reply) => reply.type(type).send(index));
  fastify.get<{ Params: { code: string } }>('/errors/:code', (request, reply) => {
    const { code } = request.params;
    return isCode(code) ? reply.type(type).send(pages.get(code)) : reply.callNotFound();
  });
}
