import { catalogue, type ErrorCode } from '../errors.ts';
import type { JsonSchema } from '../field.ts';
import type { Route } from '../route.ts';
import { type HeaderName, onEverything, referToHeaders } from './headers.ts';

/** Errors that every call can return. They are documented once, as the default response. */
const everywhere: readonly ErrorCode[] = [
  'invalid_argument',
  'invalid_body',
  'two_credentials',
  'credentials_in_url',
  'unauthorized',
  'account_suspended',
  'foreign_page',
  'ip_not_allowed',
  'scope_missing',
  'answer_not_kept',
  'idempotency_in_flight',
  'body_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'idempotency_mismatch',
  'rate_limited',
  'internal',
  'overloaded',
  'unavailable',
];

/** The body of every error response. */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'The error. Act on `code`; each code has a page.',
  required: ['type', 'code', 'message', 'request_id'],
  properties: {
    type: {
      type: 'string',
      enum: ['unauthorized', 'invalid_request', 'card_error'],
      description: 'Type of the error, as defined by the contract.',
    },
    code: { type: 'string', enum: Object.keys(catalogue), description: 'Error code.' },
    message: { type: 'string', description: 'Message in words.' },
    request_id: { type: 'string', description: 'Identifies this request in logs and in the audit log.' },
    errors: {
      type: 'array',
      description: 'Invalid fields, at most 50.',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: {
          field: { type: 'string', description: 'Name of the field.' },
          code: { type: 'string', description: 'Error code of the field.' },
          message: { type: 'string', description: 'The problem of the field, and the accepted values.' },
        },
      },
    },
    more_errors: {
      type: 'integer',
      description: 'Number of further invalid fields that `errors` does not show.',
    },
  },
};

const statusOf = (code: ErrorCode) => catalogue[code].status;

/**
 * The specific errors of a call, together with general errors of the same status. A call without specific errors lists 401, because
 * linters expect a 4xx.
 */
function codesOf({ errors }: Route): ErrorCode[] {
  const own = errors.filter((code) => !everywhere.includes(code));
  const special: readonly ErrorCode[] = own.some((code) => statusOf(code) < 500) ? own : [...own, 'unauthorized'];
  const statuses = new Set(special.map(statusOf));
  return [...new Set([...special, ...everywhere.filter((code) => statuses.has(statusOf(code)))])].sort();
}

/** A response with a longer name is written where it is used. */
const longestName = 64;

/**
 * The error responses of the document. Calls with the same codes under a status share one response, which is named after its specific
 * codes: `conflict_or_managed_record`. Names are not numbered, because clients see them.
 */
export class Refusals {
  readonly named = new Map<string, object>([
    [
      'Refused',
      {
        ...response(everywhere, ['WWW-Authenticate', 'Retry-After']),
        'x-statuses': [...new Set(everywhere.map(statusOf))].sort(),
      },
    ],
  ]);

  of(definition: Route): [string, object][] {
    const byStatus = Map.groupBy(codesOf(definition), statusOf);
    return [
      ...[...byStatus]
        .sort(([a], [b]) => a - b)
        .map(([status, codes]): [string, object] => [String(status), this.#answer(status, codes)]),
      ['default', refer('Refused')],
    ];
  }

  #answer(status: number, codes: readonly ErrorCode[]): object {
    const answer = response(codes, headersByStatus[status] ?? []);
    const name = nameOf(status, codes);
    if (name.length > longestName) return answer;
    this.named.set(name, answer);
    return refer(name);
  }
}

function nameOf(status: number, codes: readonly ErrorCode[]): string {
  const special = codes.filter((code) => !everywhere.includes(code));
  return special.length === 0 ? `Refused${status}` : special.join('_or_');
}

const refer = (name: string) => ({ $ref: `#/components/responses/${name}` });

const headersByStatus: Record<number, readonly HeaderName[]> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function response(codes: readonly ErrorCode[], more: readonly HeaderName[]): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].sentence}`).join('\n\n'),
    headers: referToHeaders([...onEverything, ...more]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}
