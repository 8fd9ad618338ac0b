import { systemClock } from '@namehold/base';
import { isConnectionLoss, isContended } from '@namehold/postgres';
import pino, { type Logger, type LoggerOptions } from 'pino';
import { LogWriter } from './log-writer.ts';

const errorLevel = pino.levels.values.error;

/** Keys whose values are secrets, at any depth. */
const secrets = new Set(['authorization', 'password', 'api_key', 'auth_code', 'pw', 'newPW', 'frame']);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/**
 * Copies only objects that contain something to redact. pino's redaction evaluates each path for each line, which would be most of the
 * cost of a line.
 */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return isPlain(value) ? hidden(value) : value;
}

function hidden(facts: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const name in facts) {
    const value = facts[name];
    if (secrets.has(name)) shown[name] = '(hidden)';
    else shown[name] = typeof value === 'object' ? withoutSecrets(value) : value;
  }
  return shown;
}

let [second, secondText] = [0, ''];

/** RFC 3339 with milliseconds. The part up to the second is cached. */
function timestamp(): string {
  const now = systemClock.now().getTime();
  if (now - second < 0 || now - second >= 1_000) {
    second = now - (now % 1_000);
    secondText = new Date(second).toISOString().slice(0, 19);
  }
  return `,"time":"${secondText}.${String(now - second).padStart(3, '0')}Z"`;
}

/**
 * Errors caused by load or a database restart: the caller got a retryable error, or the work is retried. They are logged as one warning
 * without a stack.
 */
function isExpected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code } = error as Error & { code?: string };
  if (name.endsWith('Refusal')) return code === 'unavailable';
  // ENOENT is also the code of a missing file.
  return (isConnectionLoss(error) && code !== 'ENOENT') || isContended(error);
}

const settings: LoggerOptions = {
  base: null,
  timestamp,
  formatters: { level: (label) => ({ level: label }), log: hidden },
  serializers: {
    // The detail of a database error quotes row values, so only code and message are logged.
    err: (error: Error & { code?: string }) => ({
      type: error.name,
      message: error.message,
      code: error.code,
      stack: isExpected(error) ? undefined : error.stack,
    }),
    // Fields of Fastify's own lines, without headers and query strings.
    req: ({ id, method }: { id?: string; method?: string }) => ({ id, method }),
    res: ({ statusCode }: { statusCode?: number }) => ({ statusCode }),
  },
  hooks: {
    logMethod(args, method, level) {
      const [facts] = args as unknown as [{ err?: unknown } | string];
      if (level === errorLevel && typeof facts === 'object' && isExpected(facts.err)) this.warn(...args);
      else method.apply(this, args);
    },
  },
};

/** A logger of JSON lines. Values of keys that can hold secrets are redacted at any depth. */
export function createLogger(level: string, fileDescriptor = 1): Logger {
  const lines = new LogWriter(fileDescriptor, (lost) =>
    logger.warn({ lost }, 'log lines dropped; the reader was too slow'),
  );
  const logger = pino({ ...settings, level }, lines);
  return logger;
}
