import { passwordLimits } from '../../../core/accounts/password.ts';
import { FieldRefusal, field } from '../../field.ts';

/** Only the length is checked. Passwords that clients generate have no mixed case. Not trimmed, because spaces count. */
export const password = field(
  {
    type: 'string',
    format: 'password',
    minLength: passwordLimits.minLength,
    maxLength: passwordLimits.maxLength,
    description: 'Sign-in password. Stored as an argon2id hash.',
    examples: ['correct horse battery'],
  },
  (value) => {
    if (typeof value !== 'string' || !value.isWellFormed()) throw new FieldRefusal('Must be text.');
    if (value.length < passwordLimits.minLength)
      throw new FieldRefusal(`Must have at least ${passwordLimits.minLength} characters.`, 'too_short');
    if (value.length > passwordLimits.maxLength)
      throw new FieldRefusal(`Must have at most ${passwordLimits.maxLength} characters.`, 'too_long');
    return value;
  },
);
