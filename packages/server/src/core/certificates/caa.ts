import type { CaaRecord, ProofMethod } from '../ports/certificate-authority.ts';

interface CaaRequester {
  /** Issuer domain names of the authority. */
  readonly authority: readonly string[];
  readonly method: ProofMethod;
}

/**
 * Why CAA records (RFC 8659, RFC 8657) forbid a certificate, with the record to add. Undefined: they allow it. `records`: those that
 * apply.
 */
export function caaForbids(name: string, records: readonly CaaRecord[], requester: CaaRequester): string | undefined {
  const [first] = requester.authority;
  if (first === undefined) return undefined;
  const tagged = (tag: string) => records.filter((record) => record.tag.toLowerCase() === tag);
  const wild = tagged('issuewild');
  const isWild = name.startsWith('*.');
  const issue = isWild && wild.length > 0 ? wild : tagged('issue');
  if (issue.length === 0 || issue.some(({ value }) => allows(value, requester))) return undefined;
  const tag = isWild && wild.length > 0 ? 'issuewild' : 'issue';
  return `CAA records do not allow a certificate for ${name}: add CAA 0 ${tag} "${first}"`;
}

function allows(value: string, { authority, method }: CaaRequester): boolean {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim());
  if (!authority.includes(issuer.toLowerCase().replace(/\.$/, ''))) return false;
  const methods = parameters.find((parameter) => /^validationmethods\s*=/i.test(parameter));
  return (
    methods === undefined ||
    methods
      .split('=')[1]!
      .split(',')
      .some((one) => one.trim() === method)
  );
}
