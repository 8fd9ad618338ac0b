import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../packages/server/src/config.ts';
import { projectRoot } from '../support/service.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

/** With a foreign parser: what it reads is what Prometheus and compose read. */
function readYaml(file: string): unknown {
  const program = 'use YAML::XS; use JSON::PP; print JSON::PP->new->allow_nonref->encode(YAML::XS::LoadFile($ARGV[0]))';
  return JSON.parse(execFileSync('perl', ['-e', program, join(projectRoot, file)], { encoding: 'utf8' }));
}

/** Every metric that the operators' page describes, with what a histogram adds to its name. */
const known = new Set(
  [...read('docs/operate/monitoring.md').matchAll(/`(namehold_\w+)`/g)].flatMap(([, name]) => [
    name!,
    `${name}_bucket`,
    `${name}_count`,
    `${name}_sum`,
  ]),
);
const metricsIn = (text: string) => [...new Set(text.match(/namehold_\w+/g) ?? [])];

test('Prometheus rules parse and query existing metrics only', () => {
  const { groups } = readYaml('deploy/prometheus-rules.yaml') as { groups: { rules: Record<string, unknown>[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  for (const rule of rules) {
    expect(Object.keys(rule)).toEqual(expect.arrayContaining(['alert', 'expr', 'labels', 'annotations']));
    expect(metricsIn(String(rule.expr)).filter((name) => !known.has(name))).toEqual([]);
  }
});

test('the Grafana dashboard parses and shows existing metrics only', () => {
  const { panels } = JSON.parse(read('deploy/grafana-dashboard.json')) as {
    panels: { id: number; title: string; targets: { expr: string }[] }[];
  };
  expect(new Set(panels.map((panel) => panel.id)).size).toBe(panels.length);
  for (const { targets, title } of panels) {
    const metrics = targets.flatMap((target) => metricsIn(target.expr));
    expect({ title, unknown: metrics.filter((name) => !known.has(name)) }).toEqual({ title, unknown: [] });
  }
});

test('the compose file parses and sets existing settings only', () => {
  const { services } = readYaml('deploy/compose.yaml') as {
    services: Record<string, { environment: Record<string, string>; volumes: string[]; entrypoint: string[] }>;
  };
  const { environment, volumes, entrypoint } = services.namehold!;
  const filled = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, variable: string, sign: string, rest: string) =>
        sign === '-' ? rest : variable === 'NAMEHOLD_MASTER_KEY' ? randomBytes(32).toString('hex') : 'secret',
      ),
    ]),
  );
  const image = Object.fromEntries(
    [...read('Dockerfile').matchAll(/(NAMEHOLD_\w+)=(\S+)/g)].map((m) => [m[1]!, m[2]!]),
  );
  expect(readConfig({ ...image, ...filled })).toMatchObject({ mode: 'production', port: 8080 });
  // The socket is where both look for it, and metrics are not on the container's own loopback.
  const socket = new URL(filled.DATABASE_URL!).searchParams.get('host');
  for (const mounted of [volumes, services.database!.volumes]) expect(mounted).toContain(`socket:${socket}`);
  const [shell, flag, line] = entrypoint;
  expect(line).toContain('exec node packages/server/src/main.ts serve');
  const printed = line!.replaceAll('$$', '$').replace(/exec .*/, 'exec env');
  expect(execFileSync(shell!, [flag!, printed], { encoding: 'utf8' })).toMatch(/^NAMEHOLD_METRICS_HOST=[\da-f.:]+$/m);
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const copied = lines.flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
  test('copies existing paths only, and every package of the workspace', () => {
    expect(copied.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
    const workspace = JSON.parse(read('package-lock.json')) as { packages: Record<string, unknown> };
    const packages = Object.keys(workspace.packages).filter((path) => /^packages\/[^/]+$/.test(path));
    for (const path of packages) expect(copied).toContain(`${path}/package.json`);
  });
  test('has no unknown instruction, runs as an unprivileged user and contains no secret', () => {
    const words = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(' ')[0]);
    const instructions = 'FROM ARG WORKDIR COPY RUN USER ENV VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(
      ' ',
    );
    expect(words.filter((word) => !instructions.includes(word!))).toEqual([]);
    expect(words).toContain('USER');
    expect(read('Dockerfile')).not.toMatch(/PASSWORD|MASTER_KEY/);
  });
});

test('the systemd unit parses, with existing sections, single values and an existing program', () => {
  const sections = new Map<string, [string, string][]>();
  let section = '';
  for (const line of read('deploy/namehold.service').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const head = /^\[(\w+)\]$/.exec(line);
    if (head) {
      section = head[1]!;
      sections.set(section, []);
      continue;
    }
    const [, key, value] = /^([A-Z]\w*)=(.+)$/.exec(line)!;
    sections.get(section)!.push([key!, value!]);
  }
  expect([...sections.keys()]).toEqual(['Unit', 'Service', 'Install']);
  const service = new Map(sections.get('Service'));
  expect(existsSync(join(projectRoot, service.get('ExecStart')!.split(' ')[1]!))).toBe(true);
  expect(Number(service.get('TimeoutStopSec'))).toBeGreaterThan(25);
  // getifaddrs(3) asks the kernel through it.
  expect(service.get('RestrictAddressFamilies')!.split(' ')).toContain('AF_NETLINK');
});
