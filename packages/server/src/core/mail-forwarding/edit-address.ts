import type { Config } from '../../config.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { readAddress, readTarget } from './address.ts';
import { catchAll, dutyAddresses, type MailForward, mailLimits, type SpamWay } from './forward.ts';
import { untagged } from './routes.ts';
import type { MailOrder, MailState } from './set-mail.ts';

/** Omitted fields stay unchanged. */
interface AddressChange {
  readonly targets?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly action?: 'forward' | 'refuse' | undefined;
  readonly spam?: SpamWay | undefined;
}

/** A change of one address. */
export type AddressEdit = Pick<MailOrder, 'edit' | 'field' | 'localPart'>;

const fresh = (localPart: string): MailForward => ({
  local_part: localPart,
  targets: [],
  action: 'forward',
  spam: 'refuse',
  enabled: true,
});

/** Defaults of a new address. */
export function addAddress(email: string, change: AddressChange, domainName: string, config: Config): AddressEdit {
  const localPart = readAddress(email, domainName);
  const edit = (present: MailState): MailState => {
    if (present.forwards.some((forward) => forward.local_part === localPart))
      throw new Refusal('already_exists', `${localPart}@${domainName} already exists.`);
    return withForward(present, edited(fresh(localPart), change, domainName, config));
  };
  return { localPart, edit, field: 'forward_to' };
}

export function changeAddress(email: string, change: AddressChange, domainName: string, config: Config): AddressEdit {
  const localPart = requireLocalPart(email, domainName);
  const edit = (present: MailState): MailState => {
    const former = requireForward(present.forwards, localPart);
    if (Object.values(change).every((value) => value === undefined))
      throw badField('forward_to', 'This field is required because nothing else is changed.', 'required');
    return withForward(present, edited(former, change, domainName, config));
  };
  return {
    localPart,
    edit,
    field: change.targets === undefined && change.enabled !== undefined ? 'enabled' : 'forward_to',
  };
}

export function removeAddress(email: string, domainName: string): AddressEdit {
  const localPart = requireLocalPart(email, domainName);
  const edit = (present: MailState): MailState => {
    const former = requireForward(present.forwards, localPart);
    return { ...present, forwards: present.forwards.filter((forward) => forward !== former) };
  };
  return { localPart, edit, field: 'email' };
}

/** Parses an address in a path. An invalid one is reported as not found. */
export function requireLocalPart(email: string, domainName: string): string {
  try {
    return readAddress(email, domainName);
  } catch (error) {
    if (error instanceof Refusal) throw notFound('mail forward');
    throw error;
  }
}

export function requireForward(forwards: readonly MailForward[], localPart: string): MailForward {
  const found = forwards.find((forward) => forward.local_part === localPart);
  if (!found) throw notFound('mail forward');
  return found;
}

/** Sets the target of the catch-all. Empty: mail for unknown addresses is refused. A change of the spam mode alone keeps the target. */
export function setCatchAll(
  change: { readonly target?: string | undefined; readonly spam?: SpamWay | undefined },
  domainName: string,
  config: Config,
): AddressEdit {
  const { target = '', spam } = change;
  if (change.target === '' && spam !== undefined)
    throw badField('spam', 'A catch-all without targets has no spam setting. Leave this field out.');
  const read = target === '' ? undefined : [readTarget(target, domainName, config, 'email')];
  const edit = (present: MailState): MailState => {
    const former = present.forwards.find((forward) => forward.local_part === catchAll);
    if (!read && spam === undefined)
      return { ...present, forwards: present.forwards.filter((forward) => forward !== former) };
    const targets = read ?? former?.targets;
    if (!targets) throw badField('email', 'This field is required because there is no catch-all yet.', 'required');
    const enabled = read ? true : former!.enabled;
    return withForward(present, { ...(former ?? fresh(catchAll)), ...(spam && { spam }), targets, enabled });
  };
  return { localPart: catchAll, edit, field: 'email' };
}

/** In the order of evaluation. */
function withForward(present: MailState, forward: MailForward): MailState {
  const others = present.forwards.filter((one) => one.local_part !== forward.local_part);
  const forwards = [...others, forward].sort((a, b) => (a.local_part < b.local_part ? -1 : 1));
  return { ...present, forwards };
}

function edited(former: MailForward, change: AddressChange, domainName: string, config: Config): MailForward {
  const action = change.action ?? (change.targets ? 'forward' : former.action);
  const { spam = former.spam, enabled = former.enabled } = change;
  const { local_part } = former;
  if (action === 'refuse') {
    if (change.targets && change.targets.length > 0)
      throw badField('forward_to', 'An address with action refuse has no targets. Leave this field out.');
    if (dutyAddresses.has(untagged(local_part)))
      throw badField('action', `Email for ${local_part} must be delivered somewhere (RFC 5321 4.5.1, RFC 2142).`);
    return { local_part, targets: [], action, spam, enabled };
  }
  const targets = change.targets ? readTargets(change.targets, domainName, config) : former.targets;
  if (targets.length === 0) throw badField('forward_to', 'This field is required.', 'required');
  return { local_part, targets, action, spam, enabled };
}

function readTargets(texts: readonly string[], domainName: string, config: Config): string[] {
  const field = 'forward_to';
  if (texts.length > mailLimits.targetsPerAddress)
    throw badField(field, `Must have at most ${mailLimits.targetsPerAddress} addresses.`, 'too_many');
  const targets = texts.map((text) => readTarget(text, domainName, config, field));
  const twice = targets.find((target, at) => targets.indexOf(target) !== at);
  if (twice !== undefined) throw badField(field, `${twice} is listed twice.`, 'already_exists');
  return targets;
}
