import { ApiError, asApiError } from '../api/error.ts';

/** The sentence of the page in its language, instead of the message of the service. */
export const incorrectCredentials = ({ facts }: ApiError, sentence: string): ApiError =>
  new ApiError(401, { ...facts, code: 'incorrect_credentials', message: sentence });

/** No stored password has this length, so the password is wrong. A sign-in does not explain the rules for new passwords. */
export function refuseImpossiblePassword(cause: unknown): never {
  const { fields } = asApiError(cause);
  const isImpossible = fields.some(({ field, code }) => field === 'password' && /^too_(short|long)$/.test(code));
  throw isImpossible ? new ApiError(401, { code: 'unauthorized' }) : cause;
}

/** Shows one message for all credential errors, on the form and not on a field. */
export function asSignInError(cause: unknown, sentence: string): ApiError {
  const error = asApiError(cause);
  return error.status === 401 ? incorrectCredentials(error, sentence) : error;
}
