import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./', import.meta.url));
const ending = '.json';

/** The profiles that come with the service, by name: docs/operate/registry-profiles.md says what is known and what must be asked. */
export const bundledProfiles = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();

/** The text of one of them, in the form of a profile file. */
export function bundledProfile(name: string): string | undefined {
  return bundledProfiles().includes(name) ? readFileSync(`${folder}${name}${ending}`, 'utf8') : undefined;
}
