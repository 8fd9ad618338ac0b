import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Prepared, sendPrepared } from '../prepared.ts';

/** Built by `packages/console/build.ts`. The folder is served as it was when the service started. */
const builtFolder = fileURLToPath(new URL('../../../../console/dist/', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const nothingElse = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/** No external or inline content, and no evaluation of text as script. The only browser feature allowed is passkeys. */
const security = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': `publickey-credentials-get=(self), publickey-credentials-create=(self), ${nothingElse}`,
};

const notBuilt = Buffer.from(
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Namehold</title><h1>The console is not built</h1><p>Run <code>node packages/console/build.ts</code> and start the service again. <code>npm start</code> does both. The <a href="/swagger">live tester</a> works without it.</p>',
);

/**
 * The console pages, all in memory. A path below `/app` that is no file is a page of the console, which routes it itself. A missing file
 * with a hash in its name is 404, because an older page requested it.
 */
export function installConsole(fastify: FastifyInstance, folder = builtFolder): void {
  const files = known.getOrInsertComputed(folder, readFiles);
  const index = files.get('index.html');
  const answerPage = (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(security);
    if (index) return sendPrepared(index, request, reply, 'no-store');
    return reply.code(404).header('Cache-Control', 'no-store').type(types['.html']!).send(notBuilt);
  };
  fastify.get('/app', answerPage);
  fastify.get<{ Params: { '*'?: string } }>('/app/*', (request, reply) => {
    const name = request.params['*'] ?? '';
    if (!name.startsWith('assets/')) return answerPage(request, reply);
    const file = files.get(name);
    if (!file) return reply.callNotFound();
    return sendPrepared(file, request, reply.headers(security), 'public, max-age=31536000, immutable');
  });
}

/** The servers of one process share the files. */
const known = new Map<string, ReadonlyMap<string, Prepared>>();

function readFiles(folder: string): ReadonlyMap<string, Prepared> {
  const files = new Map<string, Prepared>();
  if (!existsSync(join(folder, 'index.html'))) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = readFileSync(path);
    files.set(relative(folder, path), {
      type,
      plain,
      gzip: readFileSync(`${path}.gz`),
      br: readFileSync(`${path}.br`),
      tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    });
  }
  return files;
}
