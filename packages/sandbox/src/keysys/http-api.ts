import { createServer, type IncomingMessage } from 'node:http';
import { passwordMatches } from '../identity/password.ts';
import { credentialsOf } from '../identity/registrar.sql.ts';
import { type Registry, registryTenant } from '../registry/registry.ts';
import { settleDue } from '../scheduler/settle.ts';
import type { RegistrySystem } from '../systems/index.ts';
import { type Answer, queries } from './http-queries.ts';

const maxBodyBytes = 100_000;
const path = '/api/call.cgi';

/**
 * The HTTP API beside the EPP endpoint of an upstream like CentralNic Reseller: one form per query with login, password and command, one
 * text per answer. It only reads.
 */
export async function openHttpApi(registry: Registry, system: RegistrySystem, host: string) {
  const server = createServer((request, response) => {
    answer(registry, system, request).then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain' }).end(text),
      (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(registry: Registry, system: RegistrySystem, request: IncomingMessage): Promise<string> {
  const url = new URL(request.url ?? '/', 'http://api');
  if (url.pathname !== path || request.method !== 'POST') return written({ code: 500, description: 'Invalid request' });
  const form = new URLSearchParams(await bodyOf(request));
  const given = new Map([...form].map(([name, value]) => [name.toLowerCase(), value]));
  const clientId = given.get('s_login') ?? '';
  const known = await credentialsOf(registry.db.as(registryTenant), clientId);
  const isRight =
    clientId === system.clientId &&
    !!known?.password_hash &&
    (await passwordMatches(known.password_hash, given.get('s_pw') ?? ''));
  if (!isRight) return written({ code: 530, description: 'Authentication failed' });
  const query = queries[(given.get('command') ?? '').toLowerCase()];
  if (query === undefined) return written({ code: 500, description: 'Invalid command name' });
  const at = await settleDue(registry);
  return written(await query({ registry, system, clientId, given, at }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBodyBytes) throw new Error('too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function written({ code, description, columns = {} }: Answer): string {
  const properties = Object.entries(columns).flatMap(([name, values]) =>
    values.map((value, row) => `property[${name}][${row}] = ${value}`),
  );
  const lines = ['[RESPONSE]', `code = ${code}`, `description = ${description}`, ...properties, 'EOF', ''];
  return lines.join('\r\n');
}
