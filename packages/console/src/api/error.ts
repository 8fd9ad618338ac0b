/** An error of one input; `field` is the name in the API. */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The API call that helps, at the end of a message. The console shows a button for it instead. */
const callAtEnd = /: (GET|POST|PUT|DELETE) \/v1\/\S+$/;

/** Clients of the API match this phrase. The reason follows it. */
const hostPhrase = / is not valid NameServer: /;

const forUsers = (message: string) => message.replace(callAtEnd, '').replace(hostPhrase, ': ');

/** The message of an invalid field begins with the name of the field in the API. */
function withoutField(message: string, errors: unknown): string {
  const field = Array.isArray(errors) ? (errors[0] as FieldError | undefined)?.field : undefined;
  return field !== undefined && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

/** An error of a call. `offline`: no response arrived, and the outcome is unknown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
  /** The whole response body, with facts such as `operation_id`, `missing` and `fix`. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>, headers?: Headers) {
    super(typeof body.message === 'string' ? forUsers(withoutField(body.message, body.errors)) : '');
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : status === 0 ? 'offline' : 'unreadable';
    this.requestId =
      typeof body.request_id === 'string' ? body.request_id : (headers?.get('X-Request-Id') ?? undefined);
    this.fields = Array.isArray(body.errors)
      ? (body.errors as FieldError[]).map((each) => ({ ...each, message: forUsers(each.message) }))
      : [];
    const wait = Number(headers?.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : undefined;
    this.facts = body;
  }

  get isOffline(): boolean {
    return this.status === 0;
  }

  /** The service refused the request and did nothing. After any other error the outcome is unknown, and the request is repeated with the same key. */
  get isRefusal(): boolean {
    const isUnderWay = this.code === 'idempotency_in_flight';
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429 && !isUnderWay;
  }
}

export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError(0, { code: 'page_failed', message: error instanceof Error ? error.message : String(error) });
