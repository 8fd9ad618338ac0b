import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab } from './lab.ts';
import { Peer, planPeer, run } from './peer.ts';

/** The test's additions to the snippets: listening addresses, file locations, and no change of user. */

export async function knot(lab: Lab, primaryPort: number): Promise<Peer> {
  const plan = await planPeer(lab, 'knot', primaryPort);
  const conf = join(plan.folder, 'knot.conf');
  const server = `server:
    rundir: "${plan.folder}"
    listen: 127.0.0.1@${plan.port}
    user: root
    udp-workers: 1
    tcp-workers: 1
    background-workers: 2
log:
  - target: stderr
    any: info
database:
    storage: "${plan.folder}"
`;
  writeFileSync(conf, server + plan.parts[0]!.text);
  run('knotc', ['-c', conf, 'conf-check']);
  return new Peer('knot', plan, { command: 'knotd', args: ['-c', conf] });
}

export async function bind(lab: Lab, primaryPort: number): Promise<Peer> {
  const plan = await planPeer(lab, 'bind', primaryPort);
  const conf = join(plan.folder, 'named.conf');
  const [options, top] = plan.parts;
  const text = `options {
  directory "${plan.folder}";
  listen-on port ${plan.port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file "${plan.folder}/pid";
  session-keyfile "${plan.folder}/session.key";
  dnssec-validation no;
${options!.text}};
controls { };
${top!.text}`;
  writeFileSync(conf, text);
  run('named-checkconf', [conf]);
  return new Peer('bind', plan, { command: 'named', args: ['-c', conf, '-f', '-g', '-n', '1'] });
}

export interface NsdPeer extends Peer {
  addZone(name: string): void;
  addZones(names: readonly string[]): void;
  removeZone(name: string): void;
}

export async function nsd(lab: Lab, primaryPort: number): Promise<NsdPeer> {
  const plan = await planPeer(lab, 'nsd', primaryPort);
  const { folder } = plan;
  const conf = join(folder, 'nsd.conf');
  const server = `server:
  ip-address: 127.0.0.1@${plan.port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/pid"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  zonelistfile: "${folder}/zone.list"
  server-count: 1
remote-control:
  control-interface: "${folder}/control"
`;
  writeFileSync(conf, server + plan.parts[0]!.text);
  run('nsd-checkconf', [conf]);
  const peer = new Peer('nsd', plan, { command: 'nsd', args: ['-d', '-c', conf] });
  // NSD of Debian 12 reads no catalog: the operator keeps the zone list, here the test does.
  return Object.assign(peer, {
    addZone: (name: string) => void run('nsd-control', ['-c', conf, 'addzone', name, 'namehold-member']),
    addZones: (names: readonly string[]) =>
      void run('nsd-control', ['-c', conf, 'addzones'], names.map((name) => `${name} namehold-member\n`).join('')),
    removeZone: (name: string) => void run('nsd-control', ['-c', conf, 'delzone', name]),
  });
}

export async function powerdns(lab: Lab, primaryPort: number): Promise<Peer> {
  const plan = await planPeer(lab, 'powerdns', primaryPort);
  const { folder } = plan;
  const [conf, commands] = plan.parts;
  const text = `launch=gsqlite3
gsqlite3-database=${folder}/db
gsqlite3-dnssec=yes
local-address=127.0.0.1
local-port=${plan.port}
socket-dir=${folder}
${conf!.text}`;
  writeFileSync(join(folder, 'pdns.conf'), text);
  run('sh', ['-c', `sqlite3 ${folder}/db < /usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql`]);
  run('sh', ['-ec', `pdnsutil() { command pdnsutil --config-dir=${folder} "$@"; }\n${commands!.text}`]);
  const args = [`--config-dir=${folder}`, '--daemon=no', '--guardian=no', '--disable-syslog'];
  return new Peer('powerdns', plan, { command: 'pdns_server', args });
}
