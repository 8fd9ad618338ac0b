import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WireRefusal } from './errors.ts';

export const bodyLimits = { bytes: 1_048_576, fields: 2_000, nesting: 20 };

/** Exactly three parsers (and raw zone files where a route asks for one); any other type is 415. */
export function installBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as string));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    try {
      refuseLarge(body as string);
      done(null, parseForm(body as string));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: IncomingMessage) =>
    parseMultipart(request, payload),
  );
  // As octets: what they mean is for the route to say.
  app.addContentTypeParser(['text/dns', 'text/plain'], { parseAs: 'buffer' }, (request, body, done) => {
    const raw = request.routeOptions.config.rawBody;
    if (raw === undefined) done(new WireRefusal('unsupported_media_type'), undefined);
    else done(null, { [raw]: body });
  });
}

/** A route may take large raw bodies; what is parsed here never is. */
function refuseLarge(text: string): void {
  if (text.length > bodyLimits.bytes) throw new WireRefusal('body_too_large');
}

function parseJson(text: string): unknown {
  refuseLarge(text);
  if (text.trim() === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new WireRefusal('invalid_body', 'the body is not valid JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new WireRefusal('invalid_body', 'the JSON body must be an object');
  }
  checkNesting(parsed, 0);
  return parsed;
}

function checkNesting(value: unknown, depth: number): void {
  if (depth > bodyLimits.nesting)
    throw new WireRefusal('invalid_body', `the JSON body is nested deeper than ${bodyLimits.nesting}`);
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new WireRefusal('invalid_body', 'the JSON body has a key "__proto__"');
    checkNesting((value as Record<string, unknown>)[key], depth + 1);
  }
}

/** PHP's rule, which the clients count on: of a repeated key the last wins. */
export function parseForm(text: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > bodyLimits.fields) throw new WireRefusal('invalid_body', `more than ${bodyLimits.fields} fields`);
    fields[name] = value;
  }
  return fields;
}

function parseMultipart(request: FastifyRequest, payload: IncomingMessage): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = Object.create(null) as Record<string, string>;
    const refuse = (sentence: string) => {
      payload.resume();
      reject(new WireRefusal('invalid_body', sentence));
    };
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
        limits: { fields: bodyLimits.fields, fieldSize: bodyLimits.bytes, files: 0, parts: bodyLimits.fields },
      });
    } catch {
      refuse('the multipart body has no boundary');
      return;
    }
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bodyLimits.bytes) return;
      payload.unpipe(parser);
      payload.pause();
      // The rest stays unread: the connection ends with the answer.
      reject(new WireRefusal('body_too_large', undefined, { headers: { Connection: 'close' } }));
    });
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      parser.on(limit, () => refuse(`more than ${bodyLimits.fields} fields`));
    parser.on('field', (name: string, value: string) => {
      fields[name] = value;
    });
    parser.on('file', (_name: string, stream: NodeJS.ReadableStream) => {
      stream.resume();
    });
    parser.on('error', () => refuse('the multipart body is broken'));
    parser.on('finish', () => resolve(fields));
    payload.on('error', () => refuse('the body ended early'));
    payload.pipe(parser);
  });
}
