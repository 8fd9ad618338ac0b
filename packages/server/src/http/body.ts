import type { IncomingMessage } from 'node:http';
import { unescape as decoded } from 'node:querystring';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WireRefusal } from './errors.ts';
import type { Route } from './route.ts';

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openObject, openList, closeObject, closeList] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Scans the text once before it is parsed, and counts values and depth. Invalid JSON is counted too, and refused by the parser. */
function refuseBeyondBudget(text: string, most: { readonly values: number; readonly nesting: number }): void {
  let [values, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values += 1;
    else if (code === openObject || code === openList) {
      values += 1;
      depth += 1;
    } else if (code === closeObject || code === closeList) depth -= 1;
    if (depth > most.nesting)
      throw new WireRefusal('invalid_body', `The JSON body is nested deeper than ${most.nesting} levels.`);
    if (values > most.values)
      throw new WireRefusal('invalid_body', `The JSON body has more than ${most.values} values.`);
  }
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++;
  return at;
}

export const bodyLimits = {
  bytes: 1_048_576,
  /** Fields of a form, or JSON values of any kind. Calls with long lists have their own limit (`bodyValues` of the route). */
  fields: 2_000,
  nesting: 20,
  /** For calls without credentials, and for a user's own sign-in data. */
  anonymousBytes: 16_384,
};

export const bodyLimitOf = ({ bodyLimitBytes, isPublic, forUsers }: Route): number =>
  bodyLimitBytes ?? (isPublic || forUsers ? bodyLimits.anonymousBytes : bodyLimits.bytes);

/** Exactly three parsers, and raw zone files for some routes. Any other type is 415. */
export function installBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      done(null, parseJson(body as string, request.routeOptions.config.bodyValues ?? bodyLimits.fields));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    try {
      refuseLarge(body as string);
      done(null, parseForm(body as string, request.routeOptions.config.listNames));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: IncomingMessage) =>
    parseMultipart(request, payload),
  );
  // Bytes; the route interprets them.
  app.addContentTypeParser(['text/dns', 'text/plain'], { parseAs: 'buffer' }, (request, body, done) => {
    const raw = request.routeOptions.config.rawBody;
    if (raw === undefined) done(new WireRefusal('unsupported_media_type'), undefined);
    else done(null, { [raw]: body });
  });
}

/** Some routes accept large raw bodies, but parsed bodies are never large. */
function refuseLarge(text: string): void {
  if (text.length > bodyLimits.bytes) throw new WireRefusal('body_too_large');
}

function parseJson(text: string, values: number): unknown {
  refuseLarge(text);
  refuseBeyondBudget(text, { values, nesting: bodyLimits.nesting });
  if (text.trim() === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new WireRefusal('invalid_body', `The body is not valid JSON${placeIn(error)}.`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new WireRefusal('invalid_body', 'The JSON body must be an object.');
  }
  refusePrototypes(parsed);
  return parsed;
}

/** Depth and size are limited by the budget. */
function refusePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__')
      throw new WireRefusal('invalid_body', 'The JSON body has a key "__proto__", which is not allowed.');
    refusePrototypes(inner);
  }
}

/** Only the position: the parser's own text quotes the body, which may contain a secret. */
function placeIn(error: unknown): string {
  const place = /at position (\d+)/.exec(String(error))?.[1];
  return place === undefined ? '' : `: see position ${place}`;
}

const [plus, blank] = [0x2b, 0x20];

type Names = ReadonlySet<string>;
const noLists: Names = new Set();

/**
 * As in PHP, on which clients rely, the last of repeated keys wins. Keys of lists may be repeated instead of separated by commas, as
 * many clients do.
 */
function setField(fields: Record<string, string>, name: string, value: string, listNames: Names): void {
  const before = listNames.has(name.replaceAll('-', '_')) ? fields[name] : undefined;
  fields[name] = before === undefined ? value : `${before},${value}`;
}

export function parseForm(text: string, listNames: Names = noLists): Record<string, string> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  // URLSearchParams would parse all fields before they could be counted, and is slow for blanks.
  const pairs = withBlanks(text).split('&', bodyLimits.fields + 1);
  if (pairs.length > bodyLimits.fields)
    throw new WireRefusal('invalid_body', `The body must have at most ${bodyLimits.fields} fields.`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    setField(fields, decoded(name), decoded(value), listNames);
  }
  return fields;
}

/** A plus is a space. Decodes bytes, because joining a text of a million characters piece by piece is slow. */
function withBlanks(text: string): string {
  if (!text.includes('+')) return text;
  const octets = Buffer.from(text);
  for (let at = 0; at < octets.length; at++) if (octets[at] === plus) octets[at] = blank;
  return octets.toString();
}

function parseMultipart(request: FastifyRequest, payload: IncomingMessage): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = Object.create(null) as Record<string, string>;
    let parser: InstanceType<typeof Busboy> | undefined;
    const refuse = (sentence: string) => {
      if (parser) payload.unpipe(parser);
      payload.resume();
      reject(new WireRefusal('invalid_body', sentence));
    };
    try {
      parser = new Busboy({
        headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
        limits: { fields: bodyLimits.fields, fieldSize: bodyLimits.bytes, files: 0, parts: bodyLimits.fields },
      });
    } catch {
      refuse('The multipart body has no boundary.');
      return;
    }
    const reader = parser;
    const most = Math.min(request.routeOptions.bodyLimit ?? bodyLimits.bytes, bodyLimits.bytes);
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= most) return;
      payload.unpipe(reader);
      payload.pause();
      // The rest is not read: the connection closes with the response.
      reject(new WireRefusal('body_too_large', undefined, { headers: { Connection: 'close' } }));
    });
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      reader.on(limit, () => refuse(`The body must have at most ${bodyLimits.fields} fields.`));
    reader.on('field', (name: string, value: string) => {
      setField(fields, name, value, request.routeOptions.config.listNames ?? noLists);
    });
    reader.on('file', (_name: string, stream: NodeJS.ReadableStream) => {
      stream.resume();
    });
    reader.on('error', () => refuse('The multipart body is not valid.'));
    reader.on('finish', () => resolve(fields));
    payload.on('error', (error) => {
      if (error instanceof WireRefusal) reject(error);
      else refuse('The body is incomplete.');
    });
    payload.pipe(reader);
  });
}
