import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTenants } from '@namehold/postgres';
import { operatorId } from '../core/actors.ts';
import { restIsOver } from '../core/alarms/acknowledge.ts';
import { openAlarms } from '../core/alarms/alarm.ts';
import { showMessage } from '../core/domains/compare/show-message.ts';
import { type ChangedRoutes, connectRegistry } from '../core/registries/connect.ts';
import { comingMaintenances, describeMaintenance } from '../core/registries/maintenance.ts';
import { listRegistries } from '../core/registries/registry.sql.ts';
import {
  type Call,
  type Command,
  cliActor,
  type Outcome,
  optional,
  positional,
  required,
  UsageError,
} from './command.ts';
import { addUpstream, portOf, upstreamOptions } from './upstream-setup.ts';

const file = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8'));

function profileFile(given: string, { tools }: Parameters<Command['run']>[0]): string {
  if (existsSync(given)) return file(given)!;
  throw new UsageError(
    `--profile ${given} is neither a file nor a bundled profile: ${tools.bundledProfiles().join(', ')}`,
  );
}

const add: Command = {
  name: 'registry add',
  summary: 'Connect a registry or upstream, or change its connection',
  usage:
    'registry add ID --host HOST [--port 700] --client-id ID --password-file FILE --profile NAME|FILE.json --tlds com,net [--confirm-tlds] [--ca FILE] [--cert FILE --key FILE [--key-passphrase-file FILE]] [--server-name NAME] [--pin SHA256,...] [--source-address IP] [--ciphers LIST] [--currency CODE]\n       namehold registry add [ID] --upstream NAME [--test-system] [--client-id ID] [--customer-id ID] [--password-file FILE] [--currency CODE] [--tlds com,net|all] [--margin 15%|AMOUNT] [--rounding-step AMOUNT [--rounding-ending AMOUNT]] [--price-currency CODE] [--load | --out FOLDER] [--profile FILE.json]',
  options: {
    ...upstreamOptions,
    host: { type: 'string', about: 'Host name of the EPP server or of the upstream.' },
    port: { type: 'string', about: 'Port; default: 700, or 443 for an upstream.' },
    'client-id': {
      type: 'string',
      about: 'Client id of our account at the registry, or its account ID at an upstream.',
    },
    'password-file': {
      type: 'string',
      about: 'File with the password or API key. A password as an argument would be visible in the process list.',
    },
    profile: {
      type: 'string',
      about: 'Registry profile: name of a bundled profile, or JSON file with the differences from the defaults.',
    },
    tlds: { type: 'string', about: 'Complete list of the TLDs that the registry serves, comma-separated.' },
    'confirm-tlds': {
      type: 'boolean',
      about: 'Set the routes of these TLDs to this registry too, and allow routes to this one to end.',
    },
    ca: { type: 'string', about: 'PEM file with the CA to trust in place of the public ones.' },
    cert: { type: 'string', about: 'PEM file with the client certificate.' },
    key: { type: 'string', about: 'PEM file with the private key of the client certificate.' },
    'key-passphrase-file': { type: 'string', about: 'File with the passphrase of an encrypted private key.' },
    'server-name': { type: 'string', about: 'Name in the server certificate, if it differs from the host.' },
    pin: {
      type: 'string',
      about: 'SHA-256 of the public key of the server, base64, comma-separated. Checked in addition to the CA.',
    },
    'source-address': { type: 'string', about: 'Local IP address for connections, as allowed by the registry.' },
    ciphers: { type: 'string', about: 'TLS ciphers in OpenSSL notation, if the defaults do not fit.' },
    currency: {
      type: 'string',
      about: 'Currency of the charges of the registry, such as EUR; default: from the profile.',
    },
  },
  run: (call) => (optional(call, 'upstream') === undefined ? addRegistry(call) : addUpstream(call)),
};

async function addRegistry(call: Call): Promise<Outcome> {
  const other = Object.keys(upstreamOptions).find((name) => call.options[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other} needs --upstream`);
  const id = positional(call, 0, 'an id for the registry');
  const ownPort = portOf(optional(call, 'port'));
  const given = required(call, 'profile');
  const profile = call.tools.readProfile(call.tools.bundledProfile(given) ?? profileFile(given, call), id);
  const port = ownPort ?? (profile.kind === undefined ? 700 : 443);
  const { taken, left, alternative } = await call.tools.withContext((ctx) =>
    connectRegistry(
      ctx,
      {
        id,
        profile,
        host: required(call, 'host'),
        port,
        clientId: required(call, 'client-id'),
        password: file(required(call, 'password-file'))!.trim(),
        serverName: optional(call, 'server-name'),
        caPem: file(optional(call, 'ca')),
        certificatePem: file(optional(call, 'cert')),
        keyPem: file(optional(call, 'key')),
        keyPassphrase: file(optional(call, 'key-passphrase-file'))?.replace(/\r?\n$/, ''),
        pins: optional(call, 'pin')?.split(','),
        sourceAddress: optional(call, 'source-address'),
        ciphers: optional(call, 'ciphers'),
        currency: optional(call, 'currency')?.toUpperCase(),
        tlds: required(call, 'tlds')
          .split(',')
          .map((tld) => tld.trim().toLowerCase().replace(/^\./, '')),
        confirmsTlds: call.options['confirm-tlds'] === true,
      },
      cliActor(operatorId),
    ),
  );
  const lines = [
    `registry ${id} added. Test the connection: namehold registry test ${id}`,
    ...routeLines(id, { taken, left, alternative }),
  ];
  return { lines, json: { registry_id: id, taken, left, alternative } };
}

/** How a connection changed routes. */
const routeLines = (id: string, { taken, left, alternative }: ChangedRoutes): string[] => [
  ...taken.map(
    ({ tld, from }) => `.${tld} was moved from registry ${from}: load its rules again with namehold tld load`,
  ),
  ...left.map((tld) => `.${tld} is no longer served by any registry`),
  ...alternative.map(
    ({ tld, route }) =>
      `.${tld} is served by ${route} too, where new domains go. To send them here: namehold route set ${tld} ${id}`,
  ),
];

const test: Command = {
  name: 'registry test',
  summary: 'Log in at a registry, run test queries, and report differences from the profile',
  usage: 'registry test ID',
  async run(call) {
    const id = positional(call, 0, 'the id of the registry');
    const { ok, findings } = await call.tools.withContext((ctx) => call.tools.testRegistry(ctx, id));
    return {
      lines: [ok ? `registry ${id}: works` : `registry ${id}: FAILED`, ...findings],
      json: { registry_id: id, ok, findings },
      exitCode: ok ? 0 : 1,
    };
  },
};

const mostListed = 50;

const record: Command = {
  name: 'registry record',
  summary: 'Record the shapes of the answers of an upstream, and compare them with those of its simulator',
  usage: 'registry record ID [--tld com] [--out FOLDER]',
  options: {
    tld: { type: 'string', about: 'A TLD of the registry, for queries of prices and domains; default: its first one.' },
    out: { type: 'string', about: 'Folder for ID-shapes.json, which contains field names and types only.' },
  },
  async run(call) {
    const id = positional(call, 0, 'the id of the registry');
    const tld = optional(call, 'tld')?.toLowerCase().replace(/^\./, '');
    const found = await call.tools.withContext((ctx) => call.tools.recordRegistry(ctx, id, tld));
    const { dialect, shapes, differences, otherKeys } = found;
    const folder = optional(call, 'out');
    const path = folder === undefined ? undefined : join(folder, `${id}-shapes.json`);
    if (path !== undefined) {
      mkdirSync(folder!, { recursive: true });
      writeFileSync(path, `${JSON.stringify({ dialect, shapes }, null, 2)}\n`);
    }
    return {
      lines: [
        `${Object.keys(shapes).length} calls recorded, ${differences.length} differences from the simulator of ${dialect}`,
        ...differences
          .slice(0, mostListed)
          .map(
            ({ kind, call: name, path: at, expected, found: types }) =>
              `${kind.padEnd(7)}  ${name} ${at}  ${[...(kind === 'new' ? types : expected)].join(' or ')}${kind === 'type' ? `, found ${types.join(' or ')}` : ''}`,
          ),
        ...(otherKeys.length === 0
          ? []
          : [`${otherKeys.length} unknown keys (not in the file): ${otherKeys.slice(0, mostListed).join(', ')}`]),
        ...(path === undefined ? [] : [`wrote ${path}`]),
      ],
      json: { registry_id: id, dialect, differences, shapes },
      exitCode: differences.length === 0 ? 0 : 1,
    };
  },
};

const password: Command = {
  name: 'registry password',
  summary: 'Change our password at a registry to a random one, or to one from standard input',
  usage: 'registry password ID [--stdin]',
  options: {
    stdin: {
      type: 'boolean',
      about: 'Read the new password from standard input. Without it, a random password is stored and never shown.',
    },
  },
  async run(call) {
    const id = positional(call, 0, 'the id of the registry');
    const given = call.options.stdin ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : undefined;
    await call.tools.withContext((ctx) => call.tools.changeRegistryPassword(ctx, cliActor(operatorId), id, given));
    return {
      lines: [`password at registry ${id} changed; running services log in with the new one`],
      json: { registry_id: id, changed: true },
    };
  },
};

/** TLDs whose route leads elsewhere are in parentheses. */
const servedText = ({
  tlds,
  routes,
}: {
  readonly tlds: readonly string[];
  readonly routes: readonly string[];
}): string => tlds.map((tld) => (routes.includes(tld) ? tld : `(${tld})`)).join(', ');

const list: Command = {
  name: 'registry list',
  summary: 'List connected registries and their announced maintenance',
  usage: 'registry list',
  async run({ tools }) {
    const [shown, coming] = await tools.withContext((ctx) =>
      Promise.all([listRegistries(ctx.db.as(allTenants)), comingMaintenances(ctx)]),
    );
    const maintenances = (id: string) => coming.filter(({ registry_id }) => registry_id === id);
    return {
      lines: shown.flatMap((row) => [
        `${row.id}  ${row.host}:${row.port} as ${row.client_id}  TLDs ${servedText(row)}${row.is_active ? '' : '  (inactive)'}`,
        ...maintenances(row.id).map((each) => `  ${describeMaintenance(each)}`),
      ]),
      json: shown.map(({ id: registry_id, ...row }) => ({
        registry_id,
        ...row,
        maintenances: maintenances(registry_id).map(({ registry_id: _, ...each }) => each),
      })),
    };
  },
};

const message: Command = {
  name: 'registry message',
  summary: 'Show a poll message of a registry as received, and clear its alarms',
  usage: 'registry message ID MESSAGE',
  async run(call) {
    const id = positional(call, 0, 'the id of the registry');
    const messageId = positional(call, 1, 'the id of the message');
    const frames = await call.tools.withContext((ctx) => showMessage(ctx, id, messageId));
    return { lines: frames, json: { registry_id: id, message_id: messageId, frames } };
  },
};

const alarms: Command = {
  name: 'alarms',
  summary: 'List open alarms',
  usage: 'alarms',
  async run({ tools }) {
    const [open, now] = await tools.withContext(async (ctx) => [await openAlarms(ctx), ctx.wall.now()] as const);
    const lines = open.flatMap((alarm) => [
      `${alarm.severity.toUpperCase().padEnd(8)} ${alarm.raised_at.toISOString()}  ${alarm.sentence}`,
      `         key: ${alarm.key}`,
      ...(restIsOver(alarm, now)
        ? []
        : [
            `         acknowledged by ${alarm.acknowledged_by} until ${alarm.acknowledged_until?.toISOString()}: ${alarm.acknowledged_why}`,
          ]),
    ]);
    return {
      lines: lines.length === 0 ? ['no alarms'] : lines,
      json: open,
      exitCode: open.some((alarm) => alarm.severity === 'critical') ? 1 : 0,
    };
  },
};

export const registryCommands: readonly Command[] = [add, test, record, password, list, message, alarms];
