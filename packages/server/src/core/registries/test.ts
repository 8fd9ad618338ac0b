import { dayMs, everyTenant } from '@namehold/base';
import { notFound } from '../errors.ts';
import type { House } from '../house.ts';
import { findRegistry, type RegistryRow } from './registry.sql.ts';

/** What a registry says of itself before anybody logs in. */
export interface Greeting {
  readonly svID: string;
  readonly versions: readonly string[];
  readonly langs: readonly string[];
  readonly objURIs: readonly string[];
  readonly extURIs: readonly string[];
}

export type Probed =
  | { readonly kind: 'logged_in'; readonly greeting: Greeting }
  | { readonly kind: 'failed'; readonly why: string };

/** Connects and logs in once, apart from the sessions that do the work. */
export type Probe = (house: House, row: RegistryRow) => Promise<Probed>;

export interface RegistryTest {
  readonly ok: boolean;
  /** Sentences for a person; what differs from the profile, and what will soon be trouble. */
  readonly findings: string[];
}

const soonDays = 30;

export async function testRegistry(house: House, id: string, probe: Probe): Promise<RegistryTest> {
  const row = await findRegistry(house.db.as(everyTenant), id);
  if (!row) throw notFound(`registry ${id}`);
  const probed = await probe(house, row);
  const soon = endings(row, house.wall.now());
  if (probed.kind === 'failed') return { ok: false, findings: [probed.why, ...soon] };
  return { ok: true, findings: [...compareGreeting(profileOf(row), probed.greeting), ...soon] };
}

interface Announced {
  readonly namespaces: Readonly<Record<string, string>>;
  readonly otherExtensionURIs: readonly string[];
  readonly lang: string;
}

const profileOf = (row: RegistryRow): Announced => row.profile as unknown as Announced;
const objects = ['domain', 'contact', 'host'];

/** What the profile wants and the greeting lacks, and the other way round. */
function compareGreeting(profile: Announced, greeting: Greeting): string[] {
  const findings = [`the server calls itself ${greeting.svID}`];
  const { epp, ...parts } = profile.namespaces;
  if (!greeting.versions.includes('1.0')) findings.push(`it speaks EPP ${greeting.versions.join(', ')}, not 1.0`);
  if (!greeting.langs.includes(profile.lang)) {
    findings.push(`it does not offer the language ${profile.lang}, only ${greeting.langs.join(', ')}`);
  }
  const wanted = new Set([...Object.values(parts), ...profile.otherExtensionURIs, epp]);
  for (const [part, uri] of Object.entries(parts)) {
    const offered = objects.includes(part) ? greeting.objURIs : greeting.extURIs;
    if (!offered.includes(uri)) findings.push(`the profile has ${part} (${uri}), which the server does not offer`);
  }
  for (const uri of profile.otherExtensionURIs) {
    if (!greeting.extURIs.includes(uri)) findings.push(`the profile announces ${uri}, which the server does not offer`);
  }
  for (const uri of [...greeting.objURIs, ...greeting.extURIs]) {
    if (!wanted.has(uri)) findings.push(`the server offers ${uri}, which the profile does not use`);
  }
  return findings;
}

function endings(row: Pick<RegistryRow, 'certificate_expires_at' | 'password_expires_at'>, now: Date): string[] {
  const ends = (what: string, at: Date | null) =>
    at && at.getTime() - now.getTime() < soonDays * dayMs ? [`${what} ends on ${at.toISOString().slice(0, 10)}`] : [];
  return [...ends('our certificate', row.certificate_expires_at), ...ends('our password', row.password_expires_at)];
}
