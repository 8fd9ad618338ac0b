import type { ProbeAnswer } from '../ports/target-probe.ts';

/**
 * The response header that forbids framing by this host. Undefined: framing is allowed. `frame-ancestors` (CSP 3) overrides
 * `X-Frame-Options`, and every policy must allow it.
 */
export function refusesFrame({ headers }: Pick<ProbeAnswer, 'headers'>, host: string): string | undefined {
  const ancestors = (headers['content-security-policy'] ?? '').split(',').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().toLowerCase().split(/\s+/));
    const found = directives.find(([name]) => name === 'frame-ancestors');
    return found ? [found.slice(1)] : [];
  });
  if (ancestors.length > 0)
    return ancestors.every((sources) => sources.some((source) => allows(source, host)))
      ? undefined
      : 'Content-Security-Policy: frame-ancestors';
  const options = (headers['x-frame-options'] ?? '').split(',').map((option) => option.trim().toLowerCase());
  return options.some((option) => option === 'deny' || option === 'sameorigin') ? 'X-Frame-Options' : undefined;
}

/** Schemes and ports are ignored, because our pages are available on both schemes. `'self'` is the host of the target. */
function allows(source: string, host: string): boolean {
  if (source === '*' || source === 'https:' || source === 'http:') return true;
  const named = source
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/\/.*$/, '')
    .replace(/:(\d+|\*)$/, '');
  if (named === '*') return true;
  return named.startsWith('*.') ? host.endsWith(named.slice(1)) : named === host;
}
