import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../core/app-context.ts';
import { readLogo } from '../../core/brands/brand.ts';
import { leastContrast, soft, surfaces, worstContrast } from '../../core/brands/colour.ts';
import { hostProof, hostProofHeader, isProbeNonce } from '../../core/brands/hosts.ts';

const forEver = 'public, max-age=31536000, immutable';

const types = { png: 'image/png', webp: 'image/webp', svg: 'image/svg+xml' };

/** An uploaded image. Opened directly, it can run nothing, load nothing and has no origin. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The file name contains the colours, so nothing is looked up and no user text gets into a style sheet. */
function styleOf(colour: string, dark: string): string {
  const pair = (light: string, other: string) => `light-dark(${light}, ${other})`;
  const both = pair(colour, dark);
  const ink = pair(surfaces.light.ink, surfaces.dark.ink);
  const pale = pair(soft(colour, 'light'), soft(dark, 'dark'));
  return `:root {\n  --accent: ${both};\n  --accent-ink: ${ink};\n  --accent-soft: ${pale};\n  --plot-1: ${both};\n}\n`;
}

/** Files of a brand outside `/v1`: its style sheet, its logo, and the proof that a host leads to this service. */
export function installBrandFiles(
  fastify: FastifyInstance,
  ctx: AppContext,
  takeBudget: (request: FastifyRequest) => Promise<void>,
): void {
  fastify.get<{ Querystring: { nonce?: unknown } }>('/.well-known/namehold-host', async (request, reply) => {
    const { nonce } = request.query;
    const host = (request.headers.host ?? '').replace(/:\d*$/, '');
    if (!isProbeNonce(nonce)) return reply.callNotFound();
    return reply
      .header(hostProofHeader, hostProof(ctx.vault, host, nonce))
      .header('Cache-Control', 'no-store')
      .code(204)
      .send();
  });
  fastify.get<{ Params: { file: string } }>('/app/brand/:file', async (request, reply) => {
    const { file } = request.params;
    const [, colour, dark] = /^([0-9a-f]{6})-([0-9a-f]{6})\.css$/.exec(file) ?? [];
    if (colour && dark) return sendStyle(reply, `#${colour}`, `#${dark}`);
    const [, hash, type] = /^([0-9a-f]{32})\.(png|webp|svg)$/.exec(file) ?? [];
    if (!hash) return reply.callNotFound();
    await takeBudget(request);
    const logo = await readLogo(ctx, hash);
    if (logo?.type !== type || !logo) return reply.callNotFound();
    return reply
      .headers({ 'Content-Security-Policy': picturePolicy, 'Cross-Origin-Resource-Policy': 'same-origin' })
      .header('Cache-Control', forEver)
      .type(types[logo.type])
      .send(logo.bytes);
  });
}

function sendStyle(reply: FastifyReply, colour: string, dark: string): FastifyReply {
  const isReadable = worstContrast(colour, 'light') >= leastContrast && worstContrast(dark, 'dark') >= leastContrast;
  if (!isReadable) return reply.callNotFound() as unknown as FastifyReply;
  return reply.header('Cache-Control', forEver).type('text/css; charset=utf-8').send(styleOf(colour, dark));
}
