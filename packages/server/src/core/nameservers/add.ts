import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { DnsError, nameToWire, type TsigAlgorithm } from '@namehold/dns';
import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import { encryptionContext, findNameserver, nameserverRows, saveNameserver } from './nameserver.sql.ts';
import { defaultTsigAlgorithm, type Engine, tsigSecretBytes } from './nameserver.ts';

interface NewNameserver {
  readonly id: string;
  readonly engine: Engine;
  readonly address: string;
  readonly port: number;
  /** Without a key, the nameserver is identified by its address alone. Without a secret, one is generated. */
  readonly tsig: { readonly name: string; readonly algorithm?: TsigAlgorithm; readonly secret?: string } | undefined;
  readonly allowUnsigned: boolean;
  readonly isPublic: boolean;
}

/** Adds a nameserver or changes its connection. A key with an unchanged name keeps its secret. */
export async function addNameserver(ctx: AppContext, actor: Actor, wanted: NewNameserver): Promise<void> {
  checkNameserver(wanted);
  await ctx.db.transaction(allTenants, async (tx) => {
    const before = await findNameserver(tx, wanted.id);
    const others = (await nameserverRows(tx)).filter((row) => row.id !== wanted.id);
    const key = wanted.tsig && keyRow(ctx, wanted, wanted.tsig, [...(before ? [before] : []), ...others]);
    const row = {
      id: wanted.id,
      engine: wanted.engine,
      address: wanted.address,
      port: wanted.port,
      tsig_name: key?.name ?? null,
      tsig_algorithm: key?.algorithm ?? null,
      tsig_secret_sealed: key?.encrypted ?? null,
      allow_unsigned: wanted.allowUnsigned,
      is_public: wanted.isPublic,
      is_active: true,
      created_at: before?.created_at ?? ctx.wall.now(),
    };
    await saveNameserver(tx, row);
    await audit(ctx, tx, actor, {
      action: before ? 'nameserver.changed' : 'nameserver.added',
      objectType: 'nameserver',
      objectId: wanted.id,
      before: before ?? null,
      after: row,
    });
  });
}

function checkNameserver(wanted: NewNameserver): void {
  if (!/^[a-z0-9][a-z0-9.-]{0,62}$/.test(wanted.id))
    throw badField('id', 'Must be lower-case letters, digits, dots and hyphens, at most 63.');
  if (isIP(wanted.address) === 0) throw badField('address', 'Must be an IPv4 or IPv6 address.');
  if (!Number.isInteger(wanted.port) || wanted.port < 1 || wanted.port > 65_535)
    throw badField('port', 'Must be a port number.');
  if (wanted.tsig && !isName(wanted.tsig.name)) throw badField('tsig', 'The name of the key must be a domain name.');
  if (wanted.tsig?.secret !== undefined && !/^[A-Za-z0-9+/]{16,}={0,2}$/.test(wanted.tsig.secret))
    throw badField('tsig', 'The secret must be base64 of at least 12 bytes.');
  if (!wanted.tsig && !wanted.allowUnsigned && wanted.engine !== 'embedded')
    throw badField('tsig', 'A nameserver without a key must be allowed to transfer unsigned.');
}

function isName(text: string): boolean {
  try {
    nameToWire(absolute(text));
    return true;
  } catch (error) {
    if (error instanceof DnsError) return false;
    throw error;
  }
}

const absolute = (name: string) => (name.endsWith('.') ? name : `${name}.`).toLowerCase();

type Known = Awaited<ReturnType<typeof nameserverRows>>[number];

/** A key name must have one secret, because a request contains only the name of its key. */
function keyRow(
  ctx: AppContext,
  wanted: NewNameserver,
  tsig: NonNullable<NewNameserver['tsig']>,
  known: readonly Known[],
): { name: string; algorithm: string; encrypted: string } {
  const name = absolute(tsig.name);
  const namesake = known.find((row) => row.tsig_name === name);
  const held =
    namesake?.tsig_secret_sealed && ctx.vault.open(namesake.tsig_secret_sealed, encryptionContext(namesake.id));
  const isShared = namesake !== undefined && namesake.id !== wanted.id;
  if (isShared && tsig.secret !== undefined && tsig.secret !== held)
    throw badField('tsig', `${namesake.id} has a key of this name with another secret.`);
  const secret = tsig.secret ?? (held || randomBytes(tsigSecretBytes).toString('base64'));
  const algorithm = tsig.algorithm ?? namesake?.tsig_algorithm ?? defaultTsigAlgorithm;
  return { name, algorithm, encrypted: ctx.vault.encrypt(secret, encryptionContext(wanted.id)) };
}
