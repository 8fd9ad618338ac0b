import type { PasskeyAnswer } from '../../../core/users/passkey-verifier.ts';
import { FieldRefusal, field } from '../../field.ts';

const limits = { answerLength: 16_000, idLength: 2_000 };

/** Read by the verifier alone; here only that it is an object of a bearable size that names its credential. */
export const passkeyAnswer = field<PasskeyAnswer>(
  {
    type: 'object',
    description: 'What the browser answers with: `PublicKeyCredential.toJSON()`.',
    properties: { id: { type: 'string', maxLength: limits.idLength, description: 'Id of the credential.' } },
    required: ['id'],
    additionalProperties: true,
  },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new FieldRefusal('Must be an object.');
    if (JSON.stringify(value).length > limits.answerLength)
      throw new FieldRefusal('The value is too large.', 'too_long');
    const { id } = value as { readonly id?: unknown };
    if (typeof id !== 'string' || id.length > limits.idLength)
      throw new FieldRefusal('Must have the credential id as a string.');
    return value as PasskeyAnswer;
  },
);
