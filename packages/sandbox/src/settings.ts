import { join } from 'node:path';

interface SandboxSettings {
  readonly databaseUrl: string;
  readonly port: number;
  readonly controlPort: number;
  readonly folder: string;
  readonly clockFile: string;
  readonly chaosSeed: number | undefined;
  /** The process that starts the database reports its start by closing our input. */
  readonly waitsForInputEnd: boolean;
}

export class SettingError extends Error {
  override name = 'SettingError';
}

/** Every setting of the process. An invalid one stops the start with its name. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  const needed = (name: string): string => {
    const value = env[name];
    if (!value) throw new SettingError(`${name} must be set`);
    return value;
  };
  const folder = needed('SANDBOX_DIR');
  return {
    databaseUrl: needed('SANDBOX_DATABASE_URL'),
    port: portOf('SANDBOX_PORT', env.SANDBOX_PORT),
    controlPort: portOf('SANDBOX_CONTROL_PORT', env.SANDBOX_CONTROL_PORT),
    folder,
    clockFile: env.SANDBOX_CLOCK_FILE || join(folder, 'clock'),
    chaosSeed: chaosSeedOf(env),
    waitsForInputEnd: env.SANDBOX_BEGINS === 'when-input-ends',
  };
}

const maxSeed = 0xffff_ffff;

/** SANDBOX_MISCHIEF is the former name of SANDBOX_CHAOS. An empty SANDBOX_CHAOS disables both. */
function chaosSeedOf(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const name = env.SANDBOX_CHAOS === undefined ? 'SANDBOX_MISCHIEF' : 'SANDBOX_CHAOS';
  return seedOf(name, env[name]);
}

function seedOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const seed = Number(text);
  if (!Number.isInteger(seed) || seed < 0 || seed > maxSeed)
    throw new SettingError(`${name} must be a seed from 0 to ${maxSeed}, not "${text}"`);
  return seed;
}

const maxPort = 65_535;

/** 0: a free port. */
function portOf(name: string, text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > maxPort)
    throw new SettingError(`${name} must be a port, not "${text}"`);
  return port;
}
