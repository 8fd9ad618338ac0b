import { type Command, positional } from './command.ts';

const serve: Command = {
  name: 'serve',
  summary: 'Run the service; in sandbox mode with the embedded database, registry and nameserver',
  usage: 'serve',
  async run({ tools }) {
    await tools.serve();
    return {};
  },
};

const edge: Command = {
  name: 'edge',
  summary: 'Run only the HTTP server for forwarded domains (edge), on this or another machine',
  usage: 'edge',
  async run({ tools }) {
    await tools.serveEdge();
    return {};
  },
};

const migrate: Command = {
  name: 'migrate',
  summary: 'Apply pending database migrations',
  usage: 'migrate',
  async run({ tools }) {
    const applied = await tools.migrate();
    return {
      lines: applied.length === 0 ? ['the schema is up to date'] : applied.map((name) => `applied ${name}`),
      json: { applied },
    };
  },
};

const databaseRoles: Command = {
  name: 'database roles',
  summary: 'Print the SQL that creates the database logins of the service',
  usage: 'database roles',
  async run({ tools }) {
    const statements = tools.databaseRoles();
    return { lines: statements, json: { sql: statements.join('\n') } };
  },
};

const rotateKey: Command = {
  name: 'master-key rotate',
  summary: 'Encrypt all stored secrets with a new master key, while the service runs',
  usage: 'master-key rotate',
  async run({ tools }) {
    const { resealed, kept } = await tools.rotateMasterKey();
    return {
      lines: [
        `${resealed} secrets encrypted again; all ${kept} now use the new key. The service no longer needs the old key. Keep it as long as older backups exist.`,
      ],
      json: { resealed, total: kept },
    };
  },
};

const credentials: Command = {
  name: 'credentials',
  summary: 'Show the addresses, API key and passwords of this sandbox',
  usage: 'credentials',
  async run({ tools }) {
    const found = tools.readCredentials();
    if (!found)
      return {
        lines: [
          `no credentials in ${tools.config().dataDir}: start the service in sandbox mode first (production mode writes no credentials), or set NAMEHOLD_DATA_DIR to its folder. If the first start was interrupted, remove the folder and start again`,
        ],
        json: { credentials: null, data_dir: tools.config().dataDir },
        exitCode: 1,
      };
    return { lines: [JSON.stringify(found, null, 2)], json: found };
  },
};

const backup: Command = {
  name: 'backup',
  summary: 'Write a backup of the embedded database and the master key',
  usage: 'backup FILE.tar.gz',
  async run(call) {
    const { file, bytes } = await call.tools.backup(positional(call, 0, 'the file to write'));
    return {
      lines: [`wrote ${file} (${bytes} bytes). The file contains the master key: store it where only you can read it.`],
      json: { file, bytes },
    };
  },
};

const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into an empty data folder',
  usage: 'restore FILE.tar.gz',
  async run(call) {
    const file = positional(call, 0, 'the backup to restore');
    await call.tools.restore(file);
    return { lines: [`restored ${file}. Start the service, then run: namehold reconcile`], json: { restored: file } };
  },
};

const doctor: Command = {
  name: 'doctor',
  summary: 'Check settings, database, clock, ports, migrations, edges and mail hosts, with a fix for each problem',
  usage: 'doctor [--mail]',
  options: { mail: { type: 'boolean', about: 'On a mail host, also send a test mail to NAMEHOLD_ABUSE_ADDRESS.' } },
  async run({ tools, options }) {
    const probes = await tools.probes({ sendsMail: options.mail === true });
    const lines = probes.flatMap(({ ok, name, text, fix }) => [
      `${ok ? 'ok  ' : 'FAIL'} ${name}: ${text}`,
      ...(ok || !fix ? [] : [`     fix: ${fix}`]),
    ]);
    return { lines, json: probes, exitCode: probes.every((probe) => probe.ok) ? 0 : 1 };
  },
};

export const serviceCommands: readonly Command[] = [
  serve,
  edge,
  migrate,
  databaseRoles,
  rotateKey,
  credentials,
  backup,
  restore,
  doctor,
];
