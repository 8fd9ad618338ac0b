import { splitName } from '@namehold/base';
import type { DomainCheckRequest, DomainCreateRequest, LaunchCheckAnswer, LaunchCreate } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import type { SandboxTld } from '../tlds/index.ts';

const isClaimed = (label: string): boolean => label.startsWith('mark-');

/** The key under which the trademark database has the notice. */
const claimKey = (label: string): string => `2026111500/0/0/${label}`;

/** Checks the extensions that this TLD requires in a create, and refuses those that it does not use. */
export function checkRegistration(tld: SandboxTld, label: string, ext: DomainCreateRequest['ext'], at: Date): void {
  const { launch, token, idnTables } = tld.registration ?? {};
  checkLaunch(tld, label, ext?.launch, at);
  if (ext?.launch !== undefined && launch === undefined) refuse(2306, `.${tld.tld} is in no launch phase`);
  if (token && ext?.allocationToken === undefined) refuse(2003, `.${tld.tld} needs an allocation token`);
  if (!token && ext?.allocationToken !== undefined) refuse(2306, `.${tld.tld} takes no allocation token`);
  // RFC 8495 3.2.1: 2201 for a token of another name.
  if (token && ext?.allocationToken !== `TOKEN-${label}`) refuse(2201, 'the allocation token does not match this name');
  const wantsTable = idnTables !== undefined && label.startsWith('xn--');
  if (wantsTable && ext?.idn === undefined) refuse(2003, `.${tld.tld} needs the table of an internationalised name`);
  if (!wantsTable && ext?.idn !== undefined) refuse(2306, 'this name needs no table');
  if (wantsTable && !idnTables.includes(ext?.idn?.table ?? '')) refuse(2306, `tables are ${idnTables.join(', ')}`);
}

function checkLaunch(tld: SandboxTld, label: string, sent: LaunchCreate | undefined, at: Date): void {
  const launch = tld.registration?.launch;
  if (sent !== undefined && launch !== undefined && sent.phase.phase !== launch) {
    refuse(2306, `.${tld.tld} is in its ${launch} phase, not in ${sent.phase.phase}`);
  }
  if (launch === 'sunrise') {
    const [mark] = sent?.encodedSignedMarks ?? [];
    if (mark === undefined) refuse(2003, 'a sunrise name needs a signed mark');
    if (!Buffer.from(mark, 'base64').toString('utf8').includes('signedMark'))
      refuse(2306, 'the signed mark is not valid');
  }
  if (launch !== 'claims' || !isClaimed(label)) return;
  const [notice] = sent?.notices ?? [];
  if (notice === undefined) refuse(2003, 'the name has claims: the accepted notice is missing');
  if (notice.notAfter <= at) refuse(2306, 'the notice has expired');
}

/** RFC 8334 3.1.1: whether claims exist, and where their notice is. */
export function claimsAnswer(
  tlds: ReadonlyMap<string, SandboxTld>,
  check: NonNullable<NonNullable<DomainCheckRequest['ext']>['launch']>,
  names: readonly string[],
): LaunchCheckAnswer {
  if (check.type !== undefined && check.type !== 'claims') refuse(2102, `checks of type ${check.type} are not served`);
  const items = names.map((name) => {
    const split = splitName(name.toLowerCase(), tlds);
    const isIn = split !== undefined && tlds.get(split.tld)?.registration?.launch === 'claims';
    const exists = isIn && isClaimed(split.label);
    return { name, exists, claimKeys: exists ? [{ key: claimKey(split.label) }] : [] };
  });
  return { phase: { phase: 'claims' }, items };
}
