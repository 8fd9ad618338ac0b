import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A document that is the same for all callers: serialised, compressed and hashed once. */
export interface Prepared {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
  readonly tag: string;
}

const inThreads = { gzip: promisify(gzip), brotli: promisify(brotliCompress) };

/** Compression runs in other threads, at a moderate level, because it must not delay the start. */
export async function prepare(type: string, plain: Buffer): Promise<Prepared> {
  const [zipped, br] = await Promise.all([
    inThreads.gzip(plain, { level: 6 }),
    inThreads.brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ]);
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { type, plain, gzip: zipped, br, tag };
}

export function sendPrepared(
  document: Prepared,
  request: FastifyRequest,
  reply: FastifyReply,
  keeping = 'public, no-cache',
): FastifyReply {
  const coding = chosenCoding(request.headers['accept-encoding'] ?? '');
  // RFC 9110 section 8.8.3: each coding is a representation of its own.
  const tag = `"${document.tag}${coding === 'plain' ? '' : `-${coding}`}"`;
  reply.headers({ ETag: tag, Vary: 'Accept-Encoding', 'Cache-Control': keeping });
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  if (coding !== 'plain') reply.header('Content-Encoding', coding);
  return reply.type(document.type).send(document[coding]);
}

function chosenCoding(accepted: string): 'br' | 'gzip' | 'plain' {
  const offered = accepted
    .slice(0, 200)
    .split(',')
    .map((item) => item.trim().toLowerCase());
  const takes = (name: string) =>
    offered.some((item) => item === name || (item.startsWith(`${name};`) && !/;\s*q=0(\.0*)?$/.test(item)));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'plain';
}

function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
}
