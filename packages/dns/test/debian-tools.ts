import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TOOL_TIMEOUT_MS = 600_000;

const found = new Set<string>();

/** Debian: knot-dnsutils knot knot-dnssecutils bind9-utils bind9-dnsutils ldnsutils */
export function requireTool(name: string): void {
  if (found.has(name)) return;
  try {
    execFileSync('sh', ['-c', `command -v ${name}`]);
    found.add(name);
  } catch {
    throw new Error(
      `${name} is not installed: apt-get install knot-dnsutils knot knot-dnssecutils bind9-utils bind9-dnsutils ldnsutils`,
    );
  }
}

interface ToolResult {
  readonly ok: boolean;
  readonly output: string;
}

async function tool(command: string, args: readonly string[]): Promise<ToolResult> {
  requireTool(command);
  try {
    const { stdout, stderr } = await run(command, [...args], { timeout: TOOL_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 });
    return { ok: true, output: stdout + stderr };
  } catch (error) {
    const failed = error as { stdout?: string; stderr?: string; message: string };
    return { ok: false, output: `${failed.stdout ?? ''}${failed.stderr ?? ''}` || failed.message };
  }
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'dns-test-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withFile<T>(zoneText: string, work: (path: string) => Promise<T>): Promise<T> {
  return inFolder((folder) => {
    const path = join(folder, 'test.zone');
    writeFileSync(path, zoneText);
    return work(path);
  });
}

export function namedCheckzone(origin: string, zoneText: string): Promise<ToolResult> {
  return withFile(zoneText, (path) => tool('named-checkzone', ['-i', 'local', origin, path]));
}

export function kzonecheck(origin: string, zoneText: string): Promise<ToolResult> {
  return withFile(zoneText, (path) => tool('kzonecheck', ['-o', origin, path]));
}

export function ldnsReadZone(zoneText: string): Promise<ToolResult> {
  return withFile(zoneText, (path) => tool('ldns-read-zone', [path]));
}

interface CompiledSet {
  readonly owner: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: readonly string[];
}

/** BIND's result for a zone file: named-compilezone's raw format, parsed octet by octet. Owner and rdata in hex. */
export function bindCompile(origin: string, zoneText: string): Promise<CompiledSet[]> {
  return withFile(zoneText, async (path) => {
    const raw = `${path}.raw`;
    const args = [
      '-i',
      'none',
      '-k',
      'ignore',
      '-n',
      'ignore',
      '-m',
      'ignore',
      '-r',
      'ignore',
      '-F',
      'raw',
      '-o',
      raw,
      origin,
      path,
    ];
    const result = await tool('named-compilezone', args);
    if (!result.ok) throw new Error(result.output);
    return readRaw(readFileSync(raw));
  });
}

const RAW_HEADER_OCTETS = 24;

function readRaw(octets: Buffer): CompiledSet[] {
  const sets: CompiledSet[] = [];
  let at = RAW_HEADER_OCTETS;
  while (at < octets.length) {
    const end = at + octets.readUInt32BE(at);
    const type = octets.readUInt16BE(at + 6);
    const ttl = octets.readUInt32BE(at + 10);
    const count = octets.readUInt32BE(at + 14);
    const ownerOctets = octets.readUInt16BE(at + 18);
    const owner = octets.toString('hex', at + 20, at + 20 + ownerOctets);
    let next = at + 20 + ownerOctets;
    const rdata: string[] = [];
    for (let index = 0; index < count; index++) {
      const length = octets.readUInt16BE(next);
      rdata.push(octets.toString('hex', next + 2, next + 2 + length));
      next += 2 + length;
    }
    sets.push({ owner, type, ttl, rdata });
    at = end;
  }
  return sets;
}
