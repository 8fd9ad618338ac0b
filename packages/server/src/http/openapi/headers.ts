import type { JsonSchema } from '../field.ts';
import type { Route } from '../route.ts';

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

const header = (description: string, example: unknown, schema: JsonSchema = { type: 'string' }): Header => ({
  description,
  schema,
  example,
});

/** Response headers, each declared once. */
export const responseHeaders = {
  'X-Request-Id': header(
    'Identifies this request in logs and in the audit log.',
    'req_019a86f1c0de7000a0b1c2d3e4f50617',
  ),
  'RateLimit-Policy': header('Request quota (q) of the key in a window of w seconds.', '"default";q=3000;w=60'),
  RateLimit: header('Requests left (r), and the seconds (t) until the quota is full again.', '"default";r=2999;t=60'),
  'Retry-After': header('Seconds to wait before the next attempt.', 2, { type: 'integer' }),
  'WWW-Authenticate': header('RFC 7617.', 'Basic realm="Namehold", charset="UTF-8"'),
  'Idempotency-Replayed': header(
    'Present with the value true: this is the stored response of the first request with this key.',
    'true',
  ),
  'Preference-Applied': header('RFC 7240: the preference that was applied.', 'respond-async'),
  Location: header('Path of the operation that continues.', '/v1/operations/op_06gxsvmka9v7qbwbdq2svf8e6g'),
  'X-Total-Count': header('Number of rows on all pages together.', 42, { type: 'integer' }),
  'X-Total-Count-Is': header(
    'Present if the rows were not counted to the end (beyond 10,000): whether there are at least or at most `X-Total-Count` rows.',
    'at-least',
    { type: 'string', enum: ['at-least', 'at-most'] },
  ),
  Link: header(
    'RFC 8288: the next and the first page, and the last and previous ones if known. At most 8 KiB of links.',
    '</v1/customers?limit=10&page_no=2>; rel="next"',
  ),
  ETag: header('Serial of the zone, or version of the object, in quotes.', '"1790000001"'),
  Deprecation: header('RFC 9745: the time since which the call is deprecated.', '@1794733200'),
  Sunset: header('RFC 8594: the time from which the call can be removed.', 'Mon, 15 Nov 2027 09:00:00 GMT'),
};
export type HeaderName = keyof typeof responseHeaders;

export const onEverything: readonly HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];

export const referToHeaders = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export function headersOfSuccess(definition: Route, status: 200 | 202): object {
  const { method, isList, hasTotal, hasETag, deprecated } = definition;
  return referToHeaders([
    ...(definition.isPublic ? (['X-Request-Id'] as const) : onEverything),
    ...(method === 'GET' || definition.isPublic || definition.forUsers ? [] : (['Idempotency-Replayed'] as const)),
    ...(status === 202 && !definition.forUsers ? (['Location', 'Retry-After', 'Preference-Applied'] as const) : []),
    ...(isList || hasTotal ? (['X-Total-Count'] as const) : []),
    ...(isList ? (['X-Total-Count-Is', 'Link'] as const) : []),
    ...(hasETag ? (['ETag'] as const) : []),
    ...(deprecated ? (['Deprecation'] as const) : []),
    ...(deprecated?.sunset ? (['Sunset'] as const) : []),
  ]);
}

/** Request headers. */
export const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeated request with the same key returns the first response. Keys are kept for 72 hours.',
    schema: { type: 'string', maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'RFC 7240. `wait=n`: wait up to n seconds (at most 60) for the result. `respond-async`: do not wait. `handling=strict`: refuse instead of queueing while the registry is unavailable.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Serial of the zone that you read, in quotes; * matches any.',
    schema: { type: 'string' },
  },
  /** For objects other than zones, where the header is optional. */
  IfUnchanged: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag that you read, in quotes; * matches any. The change is refused if the object has changed since.',
    schema: { type: 'string' },
  },
  /** For calls that replace a zone only with this header. */
  IfMatchSeen: {
    name: 'If-Match',
    in: 'header',
    description: 'Serial of the zone that you read, in quotes; * matches any. Without it, only a dry run is possible.',
    schema: { type: 'string' },
    example: '*',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: '*: only if there is no zone yet.',
    schema: { type: 'string' },
  },
};

/** The headers that a call reads. */
export function headersOfRequest(definition: Route): object[] {
  const names: (keyof typeof requestHeaders)[] = [];
  if (definition.method !== 'GET' && !definition.forUsers) names.push('IdempotencyKey');
  if (definition.accepted && !definition.forUsers) names.push('Prefer');
  const { errors } = definition;
  if (errors.includes('precondition_required')) names.push('IfMatchSeen', 'IfNoneMatch');
  else if (errors.includes('precondition_failed'))
    names.push(...(definition.area === 'dns' ? (['IfMatch', 'IfNoneMatch'] as const) : (['IfUnchanged'] as const)));
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
