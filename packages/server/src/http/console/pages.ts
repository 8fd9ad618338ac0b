import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Prepared, sendPrepared } from '../prepared.ts';

/** Made by `packages/console/build.ts`; what is served is this folder, as it was when the service started. */
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

/** Nothing from elsewhere, nothing inline, no text that becomes script; the one thing a page may ask a browser for is a passkey. */
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
 * The pages for people. All of it is in memory. A path below `/app` that is no file is a page of the console, which has the paths of its
 * pages itself; but a file with a hash in its name that is not there is missing, and says so: the page that asks for it is an older one.
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

/** The services of one process hand out the same files. */
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
