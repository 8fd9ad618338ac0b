import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { toast, toastError } from '../components/toast.tsx';
import { invalidate } from '../data/resource.ts';
import { MoveDomain } from '../moves/move-domain.tsx';
import { isCustomer, may, mayOrder } from '../session/current-session.ts';
import { AuthCode } from './auth-code.tsx';
import { AnswerTransfer, DeleteDomain, TransferIn } from './delete-or-transfer.tsx';
import { RenewalMode, type Switch, SwitchFlag } from './flags.tsx';
import { reasonText } from './format-status.ts';
import { messages } from './messages.ts';
import { Purchase, type PurchaseKind } from './purchase.tsx';

type Domain = Schema<'DomainDetail'>;
const verbs = [
  ...[
    'renew',
    'restore',
    'privacy',
    'mode',
    'code',
    'delete',
    'approve',
    'reject',
    'cancel_transfer',
    'new_auth_code',
    'move',
  ],
  ...['lock', 'unlock', 'protect', 'unprotect', 'suspend', 'resume', 'hide', 'reveal'],
] as const;
export type Verb =
  | (PurchaseKind | Switch | 'mode' | 'code' | 'delete')
  | ('approve' | 'reject' | 'cancel_transfer' | 'new_auth_code' | 'move');

/** Earlier names of actions, for stored links. */
const formerVerbs: ReadonlyMap<string | undefined, Verb> = new Map([
  ['give_up', 'cancel_transfer'],
  ['other_code', 'new_auth_code'],
]);

/** The action in the address (`?do=renew`), so that other pages can link to it. */
export const verbIn = (text: string | undefined): Verb | undefined =>
  verbs.find((each) => each === (formerVerbs.get(text) ?? text)) as Verb | undefined;

const purchases: readonly Verb[] = ['renew', 'restore', 'privacy'];
/** Actions for customers. Locks, suspension and transfers out are the reseller's. */
const customerVerbs: readonly Verb[] = ['mode', 'code', 'protect', 'unprotect', 'hide', 'reveal'];

/** Whether the user can use this action at all. */
export function isOffered(verb: Verb): boolean {
  if (purchases.includes(verb)) return mayOrder();
  return may('domains:write') && (!isCustomer() || customerVerbs.includes(verb));
}

/** The dialog of the current action. */
export function VerbDialogs({
  verb,
  domain,
  canMove,
  onClose,
}: {
  readonly verb: Verb | undefined;
  readonly domain: Domain;
  /** Whether the domain can move to another account now. */
  readonly canMove: boolean;
  readonly onClose: () => void;
}) {
  const props = { name: domain.domain_name, domainId: domain.domain_id, onClose };
  if (verb === undefined || !isOffered(verb)) return null;
  if (purchases.includes(verb))
    return <Purchase {...props} kind={verb as PurchaseKind} expires={domain.expiry_date ?? ''} />;
  switch (verb) {
    case 'mode':
      return <RenewalMode {...props} now={domain.renewal_mode} />;
    case 'code':
      return <AuthCode {...props} isProtected={domain.theft_protection === 'true'} />;
    case 'move':
      return <MoveDomain domain={domain} canMove={canMove} onClose={onClose} />;
    case 'delete':
      return <DeleteDomain {...props} />;
    case 'approve':
    case 'reject':
      return <AnswerTransfer {...props} isApproval={verb === 'approve'} />;
    case 'cancel_transfer':
    case 'new_auth_code':
      return <TransferIn {...props} isCancel={verb === 'cancel_transfer'} />;
    default:
      return <SwitchFlag {...props} verb={verb as Switch} isProtected={domain.theft_protection === 'true'} />;
  }
}

/** API calls suggested by the service, with the action that does the same here. */
const helpCalls: readonly (readonly [RegExp, Verb])[] = [
  [/DELETE \/v1\/domains\/[^/\s]+\/locked/, 'unlock'],
  [/DELETE \/v1\/domains\/[^/\s]+\/suspended/, 'resume'],
  [/DELETE \/v1\/domains\/[^/\s]+\/theft_protection/, 'unprotect'],
  [/POST \/v1\/domains\/[^/\s]+\/restore/, 'restore'],
  [/POST \/v1\/domains\/[^/\s]+\/privacy_protection\/buy/, 'privacy'],
];

/** The way to remove a block: a button if the user can do it here, otherwise the advice. */
export function Fix({ fix, onVerb }: { readonly fix: string; readonly onVerb: ((verb: Verb) => void) | undefined }) {
  const t = messages();
  const verb = helpCalls.find(([pattern]) => pattern.test(fix))?.[1];
  const operation = /POST \/v1\/operations\/([^/\s]+)\/cancel/.exec(fix)?.[1];
  const cancel = () =>
    call('post', '/operations/{operation_id}/cancel', { path: { operation_id: operation ?? '' } })
      .then(() => toast(t.cancelled), toastError)
      .then(() => invalidate('/operations', '/domains', '/account'));
  if (verb && onVerb)
    return (
      <Button small onClick={() => onVerb(verb)}>
        {t.fixes[verb] ?? fix}
      </Button>
    );
  if (operation && onVerb)
    return (
      <Button small onClick={() => void cancel()}>
        {t.cancelOrder}
      </Button>
    );
  return /\/v1\//.test(fix) ? null : <span>{reasonText(fix)}</span>;
}
