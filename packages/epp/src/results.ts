/** RFC 5730 section 3: the codes and their wording. */
export const RESULT_TEXTS: Readonly<Record<number, string>> = {
  1000: 'Command completed successfully',
  1001: 'Command completed successfully; action pending',
  1300: 'Command completed successfully; no messages',
  1301: 'Command completed successfully; ack to dequeue',
  1500: 'Command completed successfully; ending session',
  2000: 'Unknown command',
  2001: 'Command syntax error',
  2002: 'Command use error',
  2003: 'Required parameter missing',
  2004: 'Parameter value range error',
  2005: 'Parameter value syntax error',
  2100: 'Unimplemented protocol version',
  2101: 'Unimplemented command',
  2102: 'Unimplemented option',
  2103: 'Unimplemented extension',
  2104: 'Billing failure',
  2105: 'Object is not eligible for renewal',
  2106: 'Object is not eligible for transfer',
  2200: 'Authentication error',
  2201: 'Authorization error',
  2202: 'Invalid authorization information',
  2300: 'Object pending transfer',
  2301: 'Object not pending transfer',
  2302: 'Object exists',
  2303: 'Object does not exist',
  2304: 'Object status prohibits operation',
  2305: 'Object association prohibits operation',
  2306: 'Parameter value policy error',
  2307: 'Unimplemented object service',
  2308: 'Data management policy violation',
  2400: 'Command failed',
  2500: 'Command failed; server closing connection',
  2501: 'Authentication error; server closing connection',
  2502: 'Session limit exceeded; server closing connection',
};

/** Codes after which the server ends the connection. */
export const CLOSING_CODES: ReadonlySet<number> = new Set([1500, 2500, 2501, 2502]);

/** Codes after which our session cannot be used any more. */
export const SESSION_ENDING_CODES: ReadonlySet<number> = new Set([2002, 2200, 2500, 2501, 2502]);

/** Refusals about the connection, which prove nothing about the object. */
export const SESSION_FAULT_CODES: ReadonlySet<number> = new Set([2002, 2200, 2501, 2502]);

/** The server failed during the command: a transform may have been executed or not. */
export const UNCERTAIN_CODES: ReadonlySet<number> = new Set([2400, 2500]);

/** The login itself is refused: another attempt risks a lock-out. */
export const LOGIN_STOP_CODES: ReadonlySet<number> = new Set([2200, 2501]);

/** A poll returned a message. */
export const MESSAGE_CODE = 1301;

export const SESSION_LIMIT_CODE = 2502;
