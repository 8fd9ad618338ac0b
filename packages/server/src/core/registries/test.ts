import { dayMs } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import { findRegistry, type RegistryRow } from './registry.sql.ts';

/** The greeting of a registry, before login. */
export interface Greeting {
  readonly svID: string;
  readonly versions: readonly string[];
  readonly langs: readonly string[];
  readonly objURIs: readonly string[];
  readonly extURIs: readonly string[];
}

export type Probed =
  /** With the answers to test queries that differ from its profile. */
  | {
      readonly kind: 'logged_in';
      readonly greeting: Greeting;
      readonly findings: readonly string[];
      /** Allowed, but worth reporting. */
      readonly notes: readonly string[];
      /** The profile names no extensions: of the usual ones the offered ones are used. */
      readonly takesWhatIsOffered: boolean;
    }
  /** An upstream, which has no greeting: what it reports, and which answers differ. */
  | { readonly kind: 'walked'; readonly notes: readonly string[]; readonly findings: readonly string[] }
  | { readonly kind: 'failed'; readonly why: string };

/** Connects, logs in and sends test queries, separate from the working sessions. */
type Probe = (ctx: AppContext, row: RegistryRow) => Promise<Probed>;

export interface RegistryTest {
  readonly ok: boolean;
  /** Sentences for the operator: differences from the profile, and coming problems. */
  readonly findings: string[];
}

const soonDays = 30;

export async function testRegistry(ctx: AppContext, id: string, probe: Probe): Promise<RegistryTest> {
  const row = await findRegistry(ctx.db.as(allTenants), id);
  if (!row) throw notFound(`registry ${id}`);
  const probed = await probe(ctx, row);
  const soon = endings(row, ctx.wall.now());
  if (probed.kind === 'failed') return { ok: false, findings: [probed.why, ...soon] };
  if (probed.kind === 'walked') {
    const { notes, findings } = probed;
    const results = findings.length > 0 ? findings : ['its queries are answered as expected'];
    return { ok: findings.length === 0, findings: [...notes, ...results, ...soon] };
  }
  const { missing, unused } = compareGreeting(profileOf(row), probed.greeting);
  const results = probed.findings.length > 0 ? probed.findings : ['check, info and poll are answered as expected'];
  const called = `the server calls itself ${probed.greeting.svID}`;
  return {
    ok: probed.findings.length === 0 && (missing.length === 0 || probed.takesWhatIsOffered),
    findings: [called, ...missing, ...unused, ...results, ...probed.notes, ...soon],
  };
}

interface Announced {
  readonly namespaces: Readonly<Record<string, string>>;
  readonly otherExtensionURIs: readonly string[];
  readonly extensions?: readonly { readonly uri: string }[];
  readonly lang: string;
}

const profileOf = (row: RegistryRow): Announced => row.profile as unknown as Announced;

/** What the profile requires and the greeting lacks, and vice versa. */
function compareGreeting(profile: Announced, greeting: Greeting): { missing: string[]; unused: string[] } {
  const missing: string[] = [];
  const { epp, ...parts } = profile.namespaces;
  if (!greeting.versions.includes('1.0')) missing.push(`it supports EPP ${greeting.versions.join(', ')}, not 1.0`);
  if (!greeting.langs.includes(profile.lang)) {
    missing.push(`it does not offer the language ${profile.lang}, only ${greeting.langs.join(', ')}`);
  }
  const others = [...profile.otherExtensionURIs, ...(profile.extensions ?? []).map(({ uri }) => uri)];
  const wanted = new Set([...Object.values(parts), ...others, epp]);
  for (const [part, uri] of Object.entries(parts)) {
    if (!greeting.objURIs.includes(uri) && !greeting.extURIs.includes(uri))
      missing.push(`the profile has ${part} (${uri}), which the server does not offer`);
  }
  for (const uri of others) {
    if (!greeting.extURIs.includes(uri)) missing.push(`the profile announces ${uri}, which the server does not offer`);
  }
  const unused = [...greeting.objURIs, ...greeting.extURIs].filter((uri) => !wanted.has(uri));
  return { missing, unused: unused.map((uri) => `the server offers ${uri}, which the profile does not use`) };
}

function endings(row: Pick<RegistryRow, 'certificate_expires_at' | 'password_expires_at'>, now: Date): string[] {
  const ends = (what: string, at: Date | null) =>
    at && at.getTime() - now.getTime() < soonDays * dayMs ? [`${what} ends on ${at.toISOString().slice(0, 10)}`] : [];
  return [...ends('our certificate', row.certificate_expires_at), ...ends('our password', row.password_expires_at)];
}
