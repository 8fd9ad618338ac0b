import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.//', import.meta.url));
const ending = '.json';

/** The bundled profiles by name. docs/operate/registry-profiles.md describes what is known of each. */
export const bundledProfiles = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();

/** The text of a bundled profile, in the format of a profile file. */
export function bundledProfile(name: string): string | undefined {
  return bundledProfiles().includes(name) ? readFileSync(`${folder}${name}${ending}`, 'utf8') : undefined;
}
