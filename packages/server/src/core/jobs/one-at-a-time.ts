import type { House } from '../house.ts';
import { giveLease, takeLease } from './job-lease.sql.ts';

/**
 * Work that one process at a time does, however many there are. The lease is short and kept by a heartbeat: who dies in the middle is
 * followed soon, who waits long for an answer keeps it. False: another has it.
 */
export async function oneAtATime(
  house: House,
  name: string,
  work: () => Promise<void>,
  owner = house.engine.owner,
): Promise<boolean> {
  if (!(await takeLease(house, name, owner))) return false;
  // A database that is away for a moment does not end the work; what it does must be safe when another has taken over.
  const keep = () => void takeLease(house, name, owner).catch(() => undefined);
  const heartbeat = setInterval(keep, house.config.leaseMs / 4).unref();
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    await giveLease(house, name, owner);
  }
  return true;
}
