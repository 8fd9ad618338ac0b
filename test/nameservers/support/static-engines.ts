import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/ports.ts';
import { askUdp, until } from './ask.ts';

/** A nameserver of Debian that serves zone files, without a primary. */
export interface StaticPeer {
  readonly id: string;
  readonly address: string;
  readonly port: number;
  /** Of its process group. */
  readonly pid: number;
  stop(): Promise<void>;
}

type Zones = Readonly<Record<string, string>>;
interface Plan {
  readonly folder: string;
  readonly port: number;
  readonly zones: readonly string[];
}

const engines: Record<string, (plan: Plan) => { conf: string; command: string; args: readonly string[] }> = {
  knot: ({ folder, port, zones }) => ({
    conf: `server:
    rundir: "${folder}"
    listen: 127.0.0.1@${port}
    user: root
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: "${folder}"
template:
  - id: default
    storage: "${folder}"
    semantic-checks: off
    global-module: mod-cookies
zone:
${zones.map((zone) => `  - domain: ${zone}\n    file: ${zone}zone\n`).join('')}`,
    command: 'knotd',
    args: ['-c', join(folder, 'conf')],
  }),
  nsd: ({ folder, port, zones }) => ({
    conf: `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/pid"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  zonelistfile: "${folder}/zone.list"
  server-count: 1
  rrl-ratelimit: 0
  answer-cookie: yes
remote-control:
  control-enable: no
${zones.map((zone) => `zone:\n  name: ${zone}\n  zonefile: ${zone}zone\n`).join('')}`,
    command: 'nsd',
    args: ['-d', '-c', join(folder, 'conf')],
  }),
  bind: ({ folder, port, zones }) => ({
    conf: `options {
  directory "${folder}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file "${folder}/pid";
  session-keyfile "${folder}/session.key";
  recursion no;
  minimal-any yes;
  minimal-responses yes;
  allow-transfer { none; };
};
controls { };
${zones.map((zone) => `zone "${zone}" { type primary; file "${zone}zone"; check-names ignore; };\n`).join('')}`,
    command: 'named',
    args: ['-c', join(folder, 'conf'), '-f', '-g', '-n', '1'],
  }),
};

export async function startStatic(folder: string, id: 'knot' | 'nsd' | 'bind', zones: Zones): Promise<StaticPeer> {
  const own = join(folder, id);
  mkdirSync(own, { recursive: true });
  const port = await freePort();
  for (const [zone, text] of Object.entries(zones)) writeFileSync(join(own, `${zone}zone`), text);
  const { conf, command, args } = engines[id]!({ folder: own, port, zones: Object.keys(zones) });
  writeFileSync(join(own, 'conf'), conf);
  const log = openSync(join(own, 'log'), 'a');
  // NSD forks: the whole process group ends at once.
  const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true });
  const peer = { id, address: '127.0.0.1', port, pid: child.pid!, stop: () => stopGroup(child) };
  try {
    for (const zone of Object.keys(zones))
      await until(
        `${id} serves ${zone}`,
        async () => {
          if (child.exitCode !== null) throw new Error(readFileSync(join(own, 'log'), 'utf8'));
          return (await askUdp(peer, zone, 'SOA', 300))?.answer.length;
        },
        (count) => count === 1,
      );
    return peer;
  } catch (error) {
    await peer.stop();
    throw error;
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 3_000);
  await ended;
  clearTimeout(timer);
}
