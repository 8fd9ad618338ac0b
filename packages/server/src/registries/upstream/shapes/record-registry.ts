import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../../core/app-context.ts';
import { badField, notFound, Refusal } from '../../../core/errors.ts';
import { findRegistry, tldsOfRegistry } from '../../../core/registries/registry.sql.ts';
import { connectionSettings } from '../../connection-settings.ts';
import { isUpstream, storedUpstreamProfile } from '../profile.ts';
import { expectedShapes, written } from './expected.ts';
import { recordShapes } from './record.ts';
import { compareShapes, fieldsIn, type ShapeDifference } from './shape.ts';

interface RegistryRecording {
  readonly shapes: ReturnType<typeof written>;
  readonly otherKeys: readonly string[];
  readonly dialect: string;
  readonly differences: readonly ShapeDifference[];
}

/** `namehold registry record`: the shapes of the answers of a connected upstream, compared with those of its simulator. */
export async function recordRegistry(ctx: AppContext, id: string, tld: string | undefined): Promise<RegistryRecording> {
  const db = ctx.db.as(allTenants);
  const row = await findRegistry(db, id);
  if (!row) throw notFound(`registry ${id}`);
  if (!isUpstream(row.profile))
    throw new Refusal('conflict', `Registry ${id} is connected over EPP and has no shapes.`);
  const profile = storedUpstreamProfile(row.profile);
  const expected = expectedShapes(profile.dialect);
  if (!expected)
    throw new Refusal('conflict', `There is no simulator of the dialect ${profile.dialect} to compare with.`);
  const served = await tldsOfRegistry(db, id);
  const chosen = tld ?? served[0];
  if (chosen === undefined || !served.includes(chosen)) throw badField('tld', `Registry ${id} does not serve it.`);
  const { endpoint, credentials } = connectionSettings(ctx, row);
  const login = {
    id,
    profile,
    host: row.host,
    port: row.port,
    clientId: row.client_id,
    secret: credentials.pw,
    caPem: endpoint.ca,
    pins: row.pins,
    sourceAddress: row.source_address ?? undefined,
  };
  const { shapes, otherKeys } = await recordShapes(ctx, login, { tld: chosen, fields: fieldsIn(expected) });
  const differences = compareShapes(expected, shapes);
  return { dialect: profile.dialect, shapes: written(shapes), otherKeys, differences };
}
