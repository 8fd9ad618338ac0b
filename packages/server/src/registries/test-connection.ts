import { isDeepStrictEqual } from 'node:util';
import {
  DEFAULT_PROFILE,
  EppSession,
  EppUnsentError,
  IETF_NAMESPACES,
  type Namespaces,
  systemClock,
} from '@namehold/epp';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import {
  expectedCurrencies,
  type RegistryRow,
  recordSecureAuthInfoOffer,
  tldsOfRegistry,
} from '../core/registries/registry.sql.ts';
import { type Probed, type RegistryTest, testRegistry } from '../core/registries/test.ts';
import { readCatalogueEntries } from '../core/tlds/list.ts';
import { databaseAccount } from './account.ts';
import { acquireWithin, databaseConnectionLeases } from './connection-leases.ts';
import { connectionSettings } from './connection-settings.ts';
import { probeSide } from './epp/side/side-connection.ts';
import { currentCredentials } from './password.ts';
import { type ProbeConnection, probeRegistry } from './probe.ts';
import { profileFindings, secureAuthInfoFindings, unsentContacts } from './profile-findings.ts';
import { probeUpstream } from './upstream/probe.ts';
import { isUpstream } from './upstream/profile.ts';

/** `namehold registry test`: opens and closes one session, which counts against the session limit. */
export function testConnection(ctx: AppContext, registryId: string): Promise<RegistryTest> {
  return testRegistry(ctx, registryId, (whose, row) =>
    isUpstream(row.profile) ? probeUpstream(whose, row) : logInOnce(whose, row),
  );
}

async function logInOnce(ctx: AppContext, row: RegistryRow): Promise<Probed> {
  const slot = await acquireWithin(databaseConnectionLeases(ctx, row.id, `test-${ctx.engine.owner}`));
  if (!slot)
    return {
      kind: 'failed',
      why: 'all sessions of the account are in use; stop a service process or raise limits.sessions',
    };
  try {
    const known = connectionSettings(ctx, row);
    const account = databaseAccount(ctx, row.id, known.profile.limits.commandsPerSecond);
    const newClTRID = () => ctx.ids.next('nh').slice(0, 48);
    let way = known;
    const open = async () => {
      account.charge();
      return EppSession.open({
        ...way,
        credentials: await currentCredentials(ctx, row.id),
        clock: systemClock,
        newClTRID,
        onEvent: () => undefined,
        onDead: () => undefined,
      });
    };
    const connection: ProbeConnection = { session: await open(), open };
    const { greeting } = connection.session;
    const offers = greeting.extURIs.includes(IETF_NAMESPACES.secureAuthInfo);
    const isNew = await ctx.db.transaction(allTenants, (tx) => recordSecureAuthInfoOffer(tx, row.id, offers));
    if (isNew) {
      // Announced as in later logins, because the test includes whether the server accepts it.
      way = connectionSettings(ctx, { ...row, offers_secure_auth_info: offers });
      await connection.session.logout();
      connection.session = await open();
    }
    const tlds = await tldsOfRegistry(ctx.db.as(allTenants), row.id);
    const label = `nh-test-${ctx.ids.text(16, 'abcdefghijkmnpqrstuvwxyz')}`;
    const db = ctx.db.as(allTenants);
    const currenciesOf = (tld: string) => expectedCurrencies(db, { registryId: row.id, tld, at: ctx.clock.now() });
    const answered = await probeRegistry({
      connection,
      account,
      profile: way.profile,
      tlds,
      newClTRID,
      label,
      currenciesOf,
    });
    await connection.session.logout();
    const findings = [
      ...profileFindings(way.profile, tlds, greeting),
      ...secureAuthInfoFindings(way.profile, offers),
      ...answered,
      ...(await probeSide(ctx, row, way.profile)),
    ];
    const entries = await readCatalogueEntries(ctx);
    const offered = entries.filter(({ name, registry }) => tlds.includes(name) && registry === row.id);
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
  isDeepStrictEqual({ ...namespaces }, { ...DEFAULT_PROFILE.namespaces });
