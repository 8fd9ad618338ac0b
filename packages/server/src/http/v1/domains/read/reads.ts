import type { Route } from '../../../route.ts';
import { availability } from '../search/availability.ts';
import { suggestion } from '../search/suggestion.ts';
import { detailsByName } from './details-by-name.ts';
import { listDomains } from './list.ts';
import { readDomain } from './read.ts';
import { readChildHosts } from './read-childns.ts';
import { readContacts } from './read-contacts.ts';
import { readDnssec } from './read-dnssec.ts';
import { readLocked } from './read-locked.ts';
import { readLocks } from './read-locks.ts';
import { readNameservers } from './read-ns.ts';
import { readPrivacy } from './read-privacy.ts';
import { readRaaVerification } from './read-raa.ts';
import { readSuspended } from './read-suspended.ts';
import { readTheftProtection } from './read-theft-protection.ts';

/** All read-only calls. */
export const domainReadRoutes: readonly Route[] = [
  listDomains,
  availability,
  suggestion,
  detailsByName,
  readDomain,
  readNameservers,
  readContacts,
  readChildHosts,
  readLocked,
  readLocks,
  readSuspended,
  readTheftProtection,
  readPrivacy,
  readDnssec,
  readRaaVerification,
];
