import { privacyMethodOf, type TldRules } from '../../model/tld.ts';
import type { Run } from '../../operations/run.ts';
import type { Ensured } from './ensure-contacts.ts';

/** RFC 5730 3: unimplemented option. */
const unsupported = 2102;

/** The switch of the upstream's privacy service, if that hides registrants under this TLD. */
export function upstreamPrivacy(
  run: Run,
  rules: TldRules,
  isPrivate: boolean | undefined,
): Ensured<{ readonly isPrivate?: boolean }> {
  if (isPrivate === undefined || privacyMethodOf(rules) !== 'upstream') return { kind: 'ready', value: {} };
  if (run.registry.sellsPrivacy) return { kind: 'ready', value: { isPrivate } };
  const text = 'this registry has no privacy service: change privacy_method of the TLD';
  return { kind: 'stopped', reply: { kind: 'refused', evidence: { code: unsupported, text } } };
}
