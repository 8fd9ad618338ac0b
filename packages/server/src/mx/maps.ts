import type { MailRoutes } from '../core/mail-forwarding/routes.ts';
import { splitAddress } from './sender.ts';
import type { Found } from './socketmap.ts';
import { isPostfixReport, type Srs } from './srs.ts';

export type Routes = Pick<MailRoutes, 'isDomain' | 'idOf' | 'routeOf' | 'leadsTooFar'>;

interface MapParts {
  readonly routes: Routes;
  /** False: no route is loaded, so no address is known. */
  readonly hasBegun: () => boolean;
  /** False: routes are still loading, so an unknown domain may exist. */
  readonly isComplete: () => boolean;
  readonly srs: Srs;
  readonly mailDomain: string;
  readonly mailHosts: readonly string[];
  /** Who reads what is written to the postmaster of the mail domain. */
  readonly postmaster: string;
}

const notfound: Found = { kind: 'notfound' };
const temp = (why: string): Found => ({ kind: 'temp', why });
const stillReading = temp('mail routes are still loading');
const ok = (data: string): Found => ({ kind: 'ok', data });

/** Maps for Postfix, and `spam` for rspamd. Destinations of mail are decided only here. */
export function lookupIn(parts: MapParts): (map: string, key: string) => Found {
  const maps: Record<string, (key: string) => Found> = {
    domain: (key) => domain(parts, key.toLowerCase()),
    route: (key) => route(parts, key),
    spam: (key) => spam(parts, key),
    srs_out: (key) => sender(parts, key),
    srs_in: (key) => returned(parts, key),
  };
  return (map, key) => (Object.hasOwn(maps, map) ? maps[map]!(key) : { kind: 'perm', why: 'unknown map' });
}

function domain({ routes, mailDomain, isComplete }: MapParts, name: string): Found {
  if (name === mailDomain || routes.isDomain(name)) return ok(name);
  return isComplete() ? notfound : stillReading;
}

function route({ routes, mailDomain, postmaster, hasBegun }: MapParts, key: string): Found {
  const to = splitAddress(key);
  if (!to) return notfound;
  const name = to.host.toLowerCase();
  if (name === mailDomain)
    return postmaster !== '' && /^(postmaster|abuse)$/i.test(to.local) ? ok(postmaster) : notfound;
  // Postfix caches that a domain is ours and then queries only its addresses; "no such address" would be a permanent refusal.
  if (!hasBegun()) return stillReading;
  const found = routes.routeOf(to.local, name);
  if (found.kind === 'wait') return temp(found.why);
  return found.kind === 'targets' ? ok(found.addresses.join(',')) : notfound;
}

/** The spam mode of all recipients of a message, which is checked once. The policy admits only recipients with the same mode. */
function spam({ routes }: MapParts, recipients: string): Found {
  const found = recipients.split(' ').flatMap((recipient) => {
    const to = splitAddress(recipient);
    const route = to && routes.routeOf(to.local, to.host.toLowerCase());
    return route?.kind === 'targets' ? [route] : [];
  });
  if (found.length === 0) return notfound;
  if (found.every((each) => each.spam === 'mark')) return ok('mark');
  return ok(found.every((each) => each.isCatchAll) ? 'catch_all' : 'refuse');
}

/** A sender in another domain of the installation is rewritten too: nothing here proves that the installation wrote the mail. */
function sender({ srs, mailHosts }: MapParts, key: string): Found {
  if (isPostfixReport(key, mailHosts)) return notfound;
  const made = srs.forward(key);
  return made === undefined || made === key ? notfound : ok(made);
}

function returned({ srs }: MapParts, key: string): Found {
  const author = srs.back(key);
  return author === undefined ? notfound : ok(author);
}
