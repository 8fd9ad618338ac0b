import { isDeepStrictEqual } from 'node:util';
import { everyTenant } from '@namehold/base';
import {
  CAUTIOUS_PROFILE,
  EppSession,
  EppUnsentError,
  IETF_NAMESPACES,
  type Namespaces,
  systemClock,
} from '@namehold/epp';
import type { House } from '../core/house.ts';
import {
  expectedCurrencies,
  type RegistryRow,
  recordSecureAuthInfoOffer,
  tldsOfRegistry,
} from '../core/registries/registry.sql.ts';
import { type Probed, type RegistryTest, testRegistry } from '../core/registries/test.ts';
import { listTlds } from '../core/tlds/tld.sql.ts';
import { databaseAccount } from './account.ts';
import { misfits, secureAuthInfoFindings, unsentContacts } from './misfits.ts';
import { currentCredentials } from './password.ts';
import { isPlatform } from './platform/profile.ts';
import { walkPlatform } from './platform/walk.ts';
import { databaseSlots, slotWithin } from './slots.ts';
import { type Line, walk } from './walk.ts';
import { wayIn } from './way-in.ts';

/** `namehold registry test`: one session of its own, counted like every other, opened and closed. */
export function testConnection(house: House, registryId: string): Promise<RegistryTest> {
  return testRegistry(house, registryId, (whose, row) =>
    isPlatform(row.profile) ? walkPlatform(whose, row) : logInOnce(whose, row),
  );
}

async function logInOnce(house: House, row: RegistryRow): Promise<Probed> {
  const slot = await slotWithin(databaseSlots(house, row.id, `test-${house.engine.owner}`));
  if (!slot)
    return {
      kind: 'failed',
      why: 'all sessions of the account are in use; stop a service process or raise limits.sessions',
    };
  try {
    const known = wayIn(house, row);
    const account = databaseAccount(house, row.id, known.profile.limits.commandsPerSecond);
    const newClTRID = () => house.ids.next('nh').slice(0, 48);
    let way = known;
    const open = async () => {
      account.charge();
      return EppSession.open({
        ...way,
        credentials: await currentCredentials(house, row.id),
        clock: systemClock,
        newClTRID,
        onEvent: () => undefined,
        onDead: () => undefined,
      });
    };
    const line: Line = { session: await open(), open };
    const { greeting } = line.session;
    const offers = greeting.extURIs.includes(IETF_NAMESPACES.secureAuthInfo);
    const isNews = await house.db.transaction(everyTenant, (tx) => recordSecureAuthInfoOffer(tx, row.id, offers));
    if (isNews) {
      // Announced as it is followed from now on: whether the server takes the login that way is part of the test.
      way = wayIn(house, { ...row, offers_secure_auth_info: offers });
      await line.session.logout();
      line.session = await open();
    }
    const tlds = await tldsOfRegistry(house.db.as(everyTenant), row.id);
    const label = `nh-test-${house.ids.text(16, 'abcdefghijkmnpqrstuvwxyz')}`;
    const db = house.db.as(everyTenant);
    const currenciesOf = async (tld: string) =>
      (await expectedCurrencies(db, tld, house.clock.now()))?.currencies ?? [];
    const answered = await walk({ line, account, profile: way.profile, tlds, newClTRID, label, currenciesOf });
    await line.session.logout();
    const findings = [
      ...misfits(way.profile, tlds, greeting),
      ...secureAuthInfoFindings(way.profile, offers),
      ...answered,
    ];
    const offered = (await listTlds(db)).filter(({ name }) => tlds.includes(name));
    const notes = unsentContacts(way.profile, offered);
    return { kind: 'logged_in', greeting, findings, notes, takesWhatIsOffered: isUsual(way.profile.namespaces) };
  } catch (error) {
    if (!(error instanceof EppUnsentError)) throw error;
    return { kind: 'failed', why: `${error.why}: ${error.message}` };
  } finally {
    await slot.release();
  }
}

const isUsual = (namespaces: Namespaces): boolean =>
  isDeepStrictEqual({ ...namespaces }, { ...CAUTIOUS_PROFILE.namespaces });
