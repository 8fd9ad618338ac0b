/** One thing wrong with what was typed; `field` is the server's name of it. */
export interface FieldTrouble {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The call that helps, behind a sentence: for programs. Here a button does it. */
const callAtEnd = /: (GET|POST|PUT|DELETE) \/v1\/\S+$/;

/** Whatever kept a call from succeeding. `offline`: no answer came, and nobody knows whether the call arrived. */
export class Trouble extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldTrouble[];
  readonly retryAfterSeconds: number | undefined;
  /** Everything that the answer held: facts such as `operation_id`, `missing`, `fix`. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Record<string, unknown>, headers?: Headers) {
    super(typeof body.message === 'string' ? body.message.replace(callAtEnd, '') : '');
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : status === 0 ? 'offline' : 'unreadable';
    this.requestId =
      typeof body.request_id === 'string' ? body.request_id : (headers?.get('X-Request-Id') ?? undefined);
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldTrouble[]) : [];
    const wait = Number(headers?.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : undefined;
    this.facts = body;
  }

  get isOffline(): boolean {
    return this.status === 0;
  }

  /** The service looked at it and said no: nothing was ordered. After anything else nobody knows, and the same order is sent again under its key. */
  get isRefusal(): boolean {
    const isUnderWay = this.code === 'idempotency_in_flight';
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429 && !isUnderWay;
  }
}

export const asTrouble = (error: unknown): Trouble =>
  error instanceof Trouble
    ? error
    : new Trouble(0, { code: 'page_failed', message: error instanceof Error ? error.message : String(error) });
