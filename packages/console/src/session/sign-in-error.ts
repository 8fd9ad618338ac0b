import { ApiError, asApiError } from '../api/error.ts';

/** Shows one message for all credential errors, on the form and not on a field. */
export function asSignInError(cause: unknown, sentence: string): ApiError {
  const error = asApiError(cause);
  return error.status === 401 ? new ApiError(400, { ...error.facts, message: sentence }) : error;
}
