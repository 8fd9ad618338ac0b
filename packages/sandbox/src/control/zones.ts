import { zoneFile } from '../zone/zone-file.ts';
import { type ControlCall, ControlError } from './control.ts';

/** The delegations of a TLD as a zone file: NS, glue, DS. */
export const showZone: ControlCall = async ({ registry }, { parts }) => {
  const tld = (parts[0] ?? '').toLowerCase();
  if (!registry.tlds.has(tld)) throw new ControlError(404, `.${tld} is not served`);
  return zoneFile(registry.db, tld, registry.clock.now());
};
