import { isConnectionLoss, isContended, systemClock } from '@namehold/base';
import pino, { type Logger, type LoggerOptions } from 'pino';
import { LogWriter } from './log-writer.ts';

const errorLevel = pino.levels.values.error;

/** Names under which a secret can stand, at any depth. */
const secrets = new Set(['authorization', 'password', 'api_key', 'auth_code', 'pw', 'newPW', 'frame']);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** A copy where there is something to look into. pino's own way reads each path letter by letter for each fact of each line, which is most of what a line costs. */
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

/** RFC 3339, to the millisecond. What lines of one second have in common is written once. */
function timestamp(): string {
  const now = systemClock.now().getTime();
  if (now - second < 0 || now - second >= 1_000) {
    second = now - (now % 1_000);
    secondText = new Date(second).toISOString().slice(0, 19);
  }
  return `,"time":"${secondText}.${String(now - second).padStart(3, '0')}Z"`;
}

/**
 * What a busy day or a restart of the database brings: nothing of ours is broken, and whoever asked was told "not now", or it is tried again. A warning in one
 * line; where in the code it was met tells nobody anything.
 */
function isExpected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code } = error as Error & { code?: string };
  if (name.endsWith('Refusal')) return code === 'unavailable';
  // That is a file as well.
  return (isConnectionLoss(error) && code !== 'ENOENT') || isContended(error);
}

const settings: LoggerOptions = {
  base: null,
  timestamp,
  formatters: { level: (label) => ({ level: label }), log: hidden },
  serializers: {
    // The detail of a database error quotes row values; code and sentence are enough.
    err: (error: Error & { code?: string }) => ({
      type: error.name,
      message: error.message,
      code: error.code,
      stack: isExpected(error) ? undefined : error.stack,
    }),
    // What Fastify hands over with its own lines: headers, and addresses with what somebody put behind a question mark, stay out.
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

/** JSON lines. Names that can hold a secret are cut out wherever they stand. */
export function createLogger(level: string, fileDescriptor = 1): Logger {
  const lines = new LogWriter(fileDescriptor, (lost) =>
    logger.warn({ lost }, 'log lines were lost: nobody read them in time'),
  );
  const logger = pino({ ...settings, level }, lines);
  return logger;
}
