import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { allTenants } from '@namehold/postgres';
import type { Config } from '../config.ts';
import { addNameserver } from '../core/nameservers/add.ts';
import { openNameserver } from '../core/nameservers/list.ts';
import { findNameserver, nameserverRows } from '../core/nameservers/nameserver.sql.ts';
import { type Engine, engines, isTsigAlgorithm } from '../core/nameservers/nameserver.ts';
import { publicationCounts } from '../core/nameservers/publication.sql.ts';
import { removeNameserver } from '../core/nameservers/remove.ts';
import { type Call, type Command, cliActor, optional, positional, required, UsageError } from './command.ts';
import { snippetFor } from './snippets/index.ts';

const operator = () => cliActor('1');

function engineOf(call: Call): Engine {
  const text = optional(call, 'engine') ?? 'other';
  const engine = engines.find((known) => known === text);
  if (!engine) throw new UsageError(`--engine must be one of ${engines.join(', ')}`);
  return engine;
}

/** Reads `NAME` or `NAME:ALGORITHM`. The secret comes from a file or is generated. */
function tsigOf(call: Call, id: string) {
  if (call.options.unsigned === true) return undefined;
  const [name = '', algorithm] = (optional(call, 'tsig') ?? `${id}.namehold`).split(':');
  if (algorithm !== undefined && !isTsigAlgorithm(algorithm))
    throw new UsageError(`--tsig: unknown algorithm ${algorithm}; the usual one is hmac-sha256`);
  const file = optional(call, 'tsig-secret-file');
  return {
    name,
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(file === undefined ? {} : { secret: readFileSync(file, 'utf8').trim() }),
  };
}

function portOf(call: Call): number {
  const port = Number(optional(call, 'port') ?? '53');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError('--port must be a port number');
  return port;
}

const run: Command = {
  name: 'nameserver',
  summary: 'Run the public nameserver as a separate process, on this or another machine',
  usage: 'nameserver',
  async run(call) {
    if (call.positionals.length > 0) throw new UsageError(`unknown command "nameserver ${call.positionals.join(' ')}"`);
    await call.tools.serveNameserver();
    return {};
  },
};

const add: Command = {
  name: 'nameserver add',
  summary: 'Add or change a nameserver that receives the zones by transfer',
  usage:
    'nameserver add ID --engine knot|bind|nsd|powerdns|embedded|other --address IP [--port 53] [--tsig NAME[:ALGORITHM]] [--tsig-secret-file FILE] [--unsigned] [--hidden]',
  options: {
    engine: { type: 'string', about: 'Software of the nameserver, which decides the snippet; default: other.' },
    address: { type: 'string', about: 'IP address that receives NOTIFY and requests the transfers.' },
    port: { type: 'string', about: 'DNS port; default: 53.' },
    tsig: { type: 'string', about: 'Name of the TSIG key; default: a new key for this nameserver.' },
    'tsig-secret-file': { type: 'string', about: 'File with the secret (base64) of an existing key.' },
    unsigned: { type: 'boolean', about: 'Without a key: the nameserver is identified only by its address.' },
    hidden: { type: 'boolean', about: 'The nameserver is not public, for example a signer.' },
  },
  async run(call) {
    const id = positional(call, 0, 'an id for the nameserver');
    const engine = engineOf(call);
    const tsig = engine === 'embedded' ? undefined : tsigOf(call, id);
    await call.tools.withContext((ctx) =>
      addNameserver(ctx, operator(), {
        id,
        engine,
        address: required(call, 'address'),
        port: portOf(call),
        tsig,
        // PowerDNS does not sign transfer requests for catalog members.
        allowUnsigned: engine !== 'embedded' && (tsig === undefined || engine === 'powerdns'),
        isPublic: call.options.hidden !== true,
      }),
    );
    const lines = [`nameserver ${id} added`];
    if (engine !== 'embedded') lines.push(`print its configuration: namehold nameserver snippet ${id}`);
    return { lines, json: { nameserver_id: id } };
  },
};

const list: Command = {
  name: 'nameserver list',
  summary: 'List nameservers and the number of current and outdated zones of each',
  usage: 'nameserver list',
  async run({ tools }) {
    const shown = await tools.withContext(async (ctx) => {
      const db = ctx.db.as(allTenants);
      const counts = await publicationCounts(db);
      return (await nameserverRows(db)).map(({ tsig_secret_sealed: _secret, ...row }) => ({
        ...row,
        zones_current: counts.current.get(row.id) ?? 0,
        zones_behind: counts.zones - (counts.current.get(row.id) ?? 0),
      }));
    });
    const lines = shown.map(
      (row) =>
        `${row.id}  ${row.engine} at ${row.address} port ${row.port}  ${row.tsig_name ? `key ${row.tsig_name}` : 'no key'}${row.allow_unsigned ? ', unsigned transfers allowed' : ''}  ${row.zones_current} zones current, ${row.zones_behind} outdated${row.is_active ? '' : '  (inactive)'}`,
    );
    return {
      lines: lines.length === 0 ? ['no nameservers'] : lines,
      json: shown.map(({ id: nameserver_id, ...row }) => ({ nameserver_id, ...row })),
    };
  },
};

const remove: Command = {
  name: 'nameserver remove',
  summary: 'Remove a nameserver and refuse its transfers',
  usage: 'nameserver remove ID',
  async run(call) {
    const id = positional(call, 0, 'the id of the nameserver');
    await call.tools.withContext((ctx) => removeNameserver(ctx, operator(), id));
    return { lines: [`nameserver ${id} removed`], json: { nameserver_id: id } };
  },
};

/** Address of the hidden primary: from `--primary`, otherwise from the settings. */
function primaryOf(call: Call, config: Config): { address: string; port: number } {
  const given = optional(call, 'primary');
  const [address = '', port] = (given ?? config.primaryHost).split('@');
  if (isIP(address) === 0 || address === '0.0.0.0' || address === '::')
    throw new UsageError(
      '--primary must be the address at which the nameserver reaches the hidden primary, such as 192.0.2.1@5301',
    );
  const wanted = port === undefined ? config.primaryPort : Number(port);
  if (wanted === undefined || !Number.isInteger(wanted) || wanted < 1)
    throw new UsageError('--primary must include the port, such as 192.0.2.1@5301');
  return { address, port: wanted };
}

const snippet: Command = {
  name: 'nameserver snippet',
  summary: 'Print the configuration for a nameserver, including its TSIG secret',
  usage: 'nameserver snippet ID [--primary ADDRESS[@PORT]]',
  options: {
    primary: {
      type: 'string',
      about: 'Address of the hidden primary; default: NAMEHOLD_PRIMARY_HOST and NAMEHOLD_PRIMARY_PORT.',
    },
  },
  async run(call) {
    const id = positional(call, 0, 'the id of the nameserver');
    const config = call.tools.config();
    const primary = primaryOf(call, config);
    const parts = await call.tools.withContext(async (ctx) => {
      const row = await findNameserver(ctx.db.as(allTenants), id);
      if (!row) throw new UsageError(`nameserver ${id} not found`);
      return snippetFor({
        nameserver: openNameserver(ctx, row),
        primaryAddress: primary.address,
        primaryPort: primary.port,
        catalogZone: config.catalogZone.replace(/\.$/, ''),
      });
    });
    if (!parts) throw new UsageError('there is no snippet for this engine; see docs/operate/nameservers.md');
    return { lines: parts.flatMap(({ file, text }) => [`# ---- ${file}`, text]), json: parts };
  },
};

export const nameserverCommands: readonly Command[] = [add, list, remove, snippet, run];
