import type { AppContext } from '../../app-context.ts';
import { badField } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';

export const authCodePolicy = {
  /** A code is valid for two weeks, the maximum in ICANN's transfer policy review (47 recommendations, 2025). */
  keptMs: 14 * 86_400_000,
  /** A code that a user chose must at least not be a single word or a row of adjacent keys. */
  minDifferentSigns: 8,
  minKinds: 3,
};

/** RFC 9154 4.1: printable ASCII, long, and hard to guess. */
export function checkCode(code: string, rules: TldRules): string {
  const { min_length: min, max_length: max } = rules.auth_code;
  if (code.length < min || code.length > max) throw badField('authCode', `Must have ${min} to ${max} characters.`);
  if (!/^[\x21-\x7e]+$/.test(code)) throw badField('authCode', 'Must be printable ASCII without spaces.');
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(code)).length;
  if (new Set(code).size < authCodePolicy.minDifferentSigns || kinds < authCodePolicy.minKinds) {
    throw badField(
      'auth_code',
      `Too easy to guess. Use at least ${authCodePolicy.minDifferentSigns} different characters of ${authCodePolicy.minKinds} kinds: lower-case, upper-case, digits, others.`,
      'too_weak',
    );
  }
  return code;
}

/** The code that is still valid. */
export function presentCode(ctx: AppContext, domain: Domain): string | undefined {
  if (!domain.auth_code_sealed || !domain.auth_code_expires_at) return undefined;
  if (domain.auth_code_expires_at <= ctx.clock.now()) return undefined;
  return openCode(ctx, domain.id, domain.auth_code_sealed);
}

const context = (domainId: string): string => `domain:${domainId}:auth_code`;

export const encryptAuthCode = (ctx: AppContext, domainId: string, code: string): string =>
  ctx.vault.encrypt(code, context(domainId));

const openCode = (ctx: AppContext, domainId: string, encrypted: string): string =>
  ctx.vault.open(encrypted, context(domainId));
