import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { findNameserver, saveNameserver } from './nameserver.sql.ts';

const embeddedId = 'embedded';

interface ListeningAt {
  readonly host: string;
  readonly port: number;
}

const reachable = (host: string) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

/**
 * In sandbox mode the embedded nameserver is listed automatically, so that publication works without setup. In production mode the
 * operator adds it with its public address.
 */
export async function registerEmbedded(ctx: AppContext, at: ListeningAt): Promise<void> {
  if (ctx.config.mode !== 'sandbox') return;
  await ctx.db.transaction(allTenants, (tx) =>
    saveNameserver(tx, {
      id: embeddedId,
      engine: 'embedded',
      address: reachable(at.host),
      port: at.port,
      tsig_name: null,
      tsig_algorithm: null,
      tsig_secret_sealed: null,
      allow_unsigned: false,
      is_public: true,
      is_active: true,
      created_at: ctx.wall.now(),
    }),
  );
}

/** A process that stops deactivates its entry, unless another process has replaced it. The publication state is kept. */
export async function deactivateEmbedded(ctx: AppContext, at: ListeningAt): Promise<void> {
  if (ctx.config.mode !== 'sandbox') return;
  await ctx.db.transaction(allTenants, async (tx) => {
    const row = await findNameserver(tx, embeddedId);
    if (row?.port === at.port && row.address === reachable(at.host))
      await saveNameserver(tx, { ...row, is_active: false });
  });
}
