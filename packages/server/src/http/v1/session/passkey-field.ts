import type { PasskeyAnswer } from '../../../core/people/passkey-verifier.ts';
import { FieldRefusal, field } from '../../field.ts';

const answerLength = 16_000;

/** Read by the verifier alone; here only that it is an object of a bearable size. */
export const passkeyAnswer = field<PasskeyAnswer>(
  {
    type: 'object',
    description: 'What the browser answers with: `PublicKeyCredential.toJSON()`.',
    additionalProperties: true,
  },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new FieldRefusal('must be an object');
    if (JSON.stringify(value).length > answerLength) throw new FieldRefusal('is too large', 'too_long');
    return value as PasskeyAnswer;
  },
);
