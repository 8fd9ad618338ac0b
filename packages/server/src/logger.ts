import pino, { type Logger, type LoggerOptions } from 'pino';

/** JSON lines. Names that can hold a secret are cut out wherever they stand. */
export function createLogger(level: string, fileDescriptor = 1): Logger {
  const settings: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        'authorization',
        'password',
        'api_key',
        'auth_code',
        'pw',
        'newPW',
        'frame',
        '*.authorization',
        '*.password',
        '*.api_key',
        '*.auth_code',
        '*.pw',
        '*.newPW',
        '*.frame',
        'req.headers',
        'err.where',
        'err.parameters',
      ],
      censor: '(hidden)',
    },
    serializers: {
      // The detail of a database error quotes row values; code and sentence are enough.
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        message: error.message,
        code: error.code,
        stack: error.stack,
      }),
    },
  };
  return pino(settings, pino.destination(fileDescriptor));
}
