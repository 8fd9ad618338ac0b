import type { PasskeyAnswer } from '../../../core/ports/passkey-verifier.ts';
import { FieldRefusal, field } from '../../field.ts';

const limits = { answerLength: 16_000, idLength: 2_000 };

/** Only the verifier reads the content. Checked here: an object of limited size with a credential id. */
export const passkeyAnswer = field<PasskeyAnswer>(
  {
    type: 'object',
    description: 'The response of the browser: `PublicKeyCredential.toJSON()`.',
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
