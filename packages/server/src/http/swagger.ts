import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Prepared, prepare, sendPrepared } from './prepared.ts';

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Namehold: live tester</title>
  <link rel="stylesheet" href="/swagger/swagger-ui.css">
  <link rel="icon" type="image/png" href="/swagger/favicon-32x32.png">
</head>
<body>
  <div id="tester"></div>
  <script src="/swagger/swagger-ui-bundle.js"></script>
  <script src="/swagger/start.js"></script>
</body>
</html>
`;

const start = readFileSync(new URL('swagger-start.mjs', import.meta.url));

const security = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** The page loads without credentials; its calls need Authorize. Everything is prepared once. */
export function installSwagger(fastify: FastifyInstance, document: () => Promise<object>): void {
  const add = (path: string, type: string, read: () => Buffer | Promise<Buffer>) => {
    let prepared: Promise<Prepared> | undefined;
    fastify.get(path, async (request, reply) => {
      prepared ??= Promise.resolve(read()).then((plain) => prepare(type, plain));
      return sendPrepared(await prepared, request, reply.headers(security));
    });
  };
  add('/swagger', 'text/html; charset=utf-8', () => Buffer.from(page));
  add('/swagger/start.js', 'text/javascript; charset=utf-8', () => start);
  add('/swagger/openapi.json', 'application/json; charset=utf-8', async () =>
    Buffer.from(JSON.stringify(await document())),
  );
  for (const [name, type] of Object.entries(assets))
    add(`/swagger/${name}`, type, () => readFileSync(join(folder, name)));
}
