import { useState } from 'preact/hooks';
import { type CallOptions, call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { SelectField, TextField } from '../components/field.tsx';
import { momentText, readMoment } from '../components/moment.tsx';
import { moneyText } from '../components/money.tsx';
import { toast } from '../components/toast.tsx';
import { useResource } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { useChange } from './change.ts';
import { messages } from './messages.ts';
import { VerbDialog } from './verb-dialog.tsx';

interface Props {
  readonly name: string;
  readonly domainId: string;
  readonly onClose: () => void;
}

function deletionText(
  of: NonNullable<Schema<'Timeline'>['deletion']>,
  milestones: Schema<'Timeline'>['milestones'],
): string {
  const t = messages();
  const refund = of.refund ? moneyText(of.refund.amount, of.refund.currency) : undefined;
  if (of.add_grace_ends_at) return t.deleteInAddGrace(momentText(readMoment(of.add_grace_ends_at), true), refund);
  const restore =
    of.restore_days === null ? t.deletePermanent : t.deleteRestorable(of.restore_days, restorePrice(milestones));
  return `${refund ? t.deleteRefund(refund) : t.deleteNoRefund} ${restore}`;
}

/** The price of a restore; empty if the timeline does not have it. */
function restorePrice(milestones: Schema<'Timeline'>['milestones']): string {
  const price = milestones.find(({ what }) => what === 'redemption_ends')?.price;
  return price ? moneyText(price.amount, price.currency) : '';
}

/** Requires typing the name, because restoring costs a fee. */
export function DeleteDomain({ name, domainId, onClose }: Props) {
  const t = messages();
  const change = useChange();
  const [typed, setTyped] = useState('');
  const timeline = useResource('/domains/{domain_id}/timeline', { path: { domain_id: name } });
  const act = (options: CallOptions) =>
    call('delete', '/domains/{domain_id}', { path: { domain_id: domainId } }, options);
  return (
    <VerbDialog
      title={t.deleteTitle(name)}
      verb={t.verbs.delete}
      change={change}
      isDanger
      isReady={typed.trim().toLowerCase() === name}
      onSubmit={() => void change.run(act)}
      onClose={onClose}
    >
      <p>{t.deleteText}</p>
      {timeline.data?.deletion && <p>{deletionText(timeline.data.deletion, timeline.data.milestones)}</p>}
      <TextField
        name="typed"
        label={common().typeToConfirm(name)}
        value={typed}
        onText={setTyped}
        autoComplete="off"
        spellcheck={false}
      />
    </VerbDialog>
  );
}

const reasons = [
  'holder_objects',
  'identity_dispute',
  'fraud',
  'unpaid',
  'court_order',
  'transfer_dispute',
  'udrp',
  'urs',
  'young',
  'recent_transfer',
  'holder_change',
] as const;
type Reason = (typeof reasons)[number];

/** A transfer request of another registrar: approve it, or reject it for an allowed reason. */
export function AnswerTransfer({ name, domainId, onClose, isApproval }: Props & { readonly isApproval: boolean }) {
  const t = messages();
  const change = useChange();
  const [reason, setReason] = useState<Reason>('holder_objects');
  const path = { domain_id: domainId };
  const act = (options: CallOptions) =>
    isApproval
      ? call('post', '/domains/{domain_id}/transfer/approve', { path, body: {} }, options)
      : call('post', '/domains/{domain_id}/transfer/reject', { path, body: { reason } }, options);
  return (
    <VerbDialog
      title={`${isApproval ? t.approveTransfer : t.rejectTransfer}: ${name}`}
      verb={isApproval ? t.approveTransfer : t.rejectTransfer}
      change={change}
      isDanger={isApproval}
      onSubmit={() => void change.run(act)}
      onClose={onClose}
    >
      <p>{isApproval ? t.approveTransferText : t.rejectTransferText}</p>
      {!isApproval && (
        <SelectField
          name="reason"
          label={t.reason}
          value={reason}
          choices={reasons.map((value) => ({ value, label: t.rejections[value] }))}
          onChoice={(value) => setReason(value as Reason)}
        />
      )}
    </VerbDialog>
  );
}

/** A transfer to this account: cancel it, or continue with a new code. */
export function TransferIn({ name, domainId, onClose, isCancel }: Props & { readonly isCancel: boolean }) {
  const t = messages();
  const change = useChange();
  const [code, setCode] = useState('');
  const path = { domain_id: domainId };
  const act = (options: CallOptions) =>
    isCancel
      ? call('post', '/domains/{domain_id}/transfer/cancel', { path, body: {} }, options)
      : call('put', '/domains/{domain_id}/transfer/auth_code', { path, body: { auth_code: code.trim() } }, options);
  const submit = async () => {
    if (!(await change.run(act))) return;
    if (!isCancel) toast(t.newCodeSent);
    onClose();
  };
  return (
    <VerbDialog
      title={`${isCancel ? t.cancelTransfer : t.enterNewCode}: ${name}`}
      verb={isCancel ? t.cancelTransfer : t.enterNewCode}
      change={change}
      isDanger={isCancel}
      isReady={isCancel || code.trim() !== ''}
      labels={{ auth_code: t.authCode }}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{isCancel ? t.cancelTransferText : t.enterNewCodeText}</p>
      {!isCancel && (
        <TextField
          name="auth_code"
          label={t.authCode}
          value={code}
          onText={setCode}
          autoComplete="off"
          spellcheck={false}
        />
      )}
    </VerbDialog>
  );
}
