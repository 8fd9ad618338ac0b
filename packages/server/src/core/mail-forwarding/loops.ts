import type { Reader } from '@namehold/postgres';
import { badField } from '../errors.ts';
import { catchAll, type MailForward, mailLimits, type TargetState } from './forward.ts';
import { forwardsOfNames } from './mail-domain.sql.ts';
import { routeOf } from './read-routes.ts';
import { type MailRoute, MailRoutes } from './routes.ts';

/** The route as if every owner had consented. */
const asConfirmed = (forward: MailForward): MailRoute => {
  const states = Object.fromEntries(forward.targets.map((address): [string, TargetState] => [address, 'confirmed']));
  return routeOf(forward, states);
};

function split(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
}

/**
 * Follows mail for these addresses through the routes of all accounts and refuses a loop, without naming other routes. `forwards`: the
 * addresses of the domain after the change. True: some targets are at domains of this service, so other writers could close a loop.
 */
export async function refuseLoops(
  db: Reader,
  name: string,
  forwards: readonly MailForward[],
  changed: readonly string[],
  field: string,
): Promise<boolean> {
  const routes = new MailRoutes();
  const known = new Set([name]);
  let leadsToUs = false;
  const put = (id: string, of: string, some: readonly MailForward[]) =>
    routes.put({
      domain_id: id,
      name: of,
      refused: null,
      routes: some.filter(({ enabled }) => enabled).map((one) => [one.local_part, asConfirmed(one)]),
    });
  put('0', name, forwards);
  const loadRoutes = async (addresses: readonly string[]) => {
    const unknown = [...new Set(addresses.map((address) => split(address)[1]))].filter((each) => !known.has(each));
    for (const each of unknown) known.add(each);
    if (unknown.length === 0) return;
    for (const found of await forwardsOfNames(db, unknown)) {
      leadsToUs = true;
      put(found.domain_id, found.name, found.forwards);
    }
  };
  const targetsOf = (address: string): readonly string[] => {
    const found = routes.routeOf(...split(address));
    return found.kind === 'targets' ? found.addresses : [];
  };
  for (const local of new Set([...changed, catchAll])) {
    // An address without a row takes the route of an unknown address.
    const begun = `${local === catchAll ? 'any-other-address' : local}@${name}`;
    // The first address is not in the set, so that mail that returns to it is recognised as a loop.
    const passed = new Set<string>();
    let wave = targetsOf(begun);
    for (let step = 0; wave.length > 0; step++) {
      if (step >= mailLimits.steps)
        throw badField(field, `Must not lead through more than ${mailLimits.steps} forwarded addresses.`, 'loop');
      await loadRoutes(wave);
      const ours = wave.filter((address) => targetsOf(address).length > 0);
      if (ours.some((address) => leadsBack(address, begun, routes)))
        throw badField(field, loopOf(local, forwards), 'loop');
      for (const address of ours) passed.add(address);
      wave = [...new Set(ours.flatMap(targetsOf))].filter((address) => !passed.has(address));
      if (passed.size > mailLimits.addressesFollowed)
        throw badField(
          field,
          `Must not lead to more than ${mailLimits.addressesFollowed} forwarded addresses.`,
          'loop',
        );
    }
  }
  return leadsToUs;
}

/** Mail for a removed address goes to the catch-all. */
function loopOf(local: string, forwards: readonly MailForward[]): string {
  return local === catchAll || forwards.some((forward) => forward.local_part === local && forward.enabled)
    ? 'Creates a mail loop: this address leads back here.'
    : 'Without this address, its email goes to the catch-all, which leads back here. Change the catch-all first.';
}

/** Whether one route handles both: a tagged address, or any that the catch-all takes, does not count as another address. */
function leadsBack(address: string, begun: string, routes: MailRoutes): boolean {
  return split(address)[1] === split(begun)[1] && routes.routeOf(...split(address)) === routes.routeOf(...split(begun));
}
