import { useState } from 'preact/hooks';
import { call, type Manner } from '../api/call.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import { words as common } from '../words/words.ts';
import { useChange } from './change.ts';
import { VerbDialog } from './verb-dialog.tsx';
import { words } from './words.ts';

interface Given {
  readonly name: string;
  readonly domainId: string;
  readonly onClose: () => void;
}

/** Cannot be undone for nothing: the name is typed first. */
export function DeleteName({ name, domainId, onClose }: Given) {
  const w = words();
  const change = useChange();
  const [typed, setTyped] = useState('');
  const act = (manner: Manner) => call('delete', '/domains/{domain_id}', { path: { domain_id: domainId } }, manner);
  return (
    <VerbDialog
      title={w.deleteTitle(name)}
      verb={w.verbs.delete}
      change={change}
      isDanger
      isReady={typed.trim().toLowerCase() === name}
      onSubmit={() => void change.run(act)}
      onClose={onClose}
    >
      <p>{w.deleteText}</p>
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

/** Another registrar asks for the name: yes at once, or no for a reason that policy allows. */
export function AnswerTransfer({ name, domainId, onClose, isYes }: Given & { readonly isYes: boolean }) {
  const w = words();
  const change = useChange();
  const [reason, setReason] = useState<Reason>('holder_objects');
  const path = { domain_id: domainId };
  const act = (manner: Manner) =>
    isYes
      ? call('post', '/domains/{domain_id}/transfer/approve', { path, body: {} }, manner)
      : call('post', '/domains/{domain_id}/transfer/reject', { path, body: { reason } }, manner);
  return (
    <VerbDialog
      title={`${isYes ? w.letGo : w.keep}: ${name}`}
      verb={isYes ? w.letGo : w.keep}
      change={change}
      isDanger={isYes}
      onSubmit={() => void change.run(act)}
      onClose={onClose}
    >
      <p>{isYes ? w.letGoText : w.keepText}</p>
      {!isYes && (
        <SelectField
          name="reason"
          label={w.reason}
          value={reason}
          choices={reasons.map((value) => ({ value, label: w.rejections[value] }))}
          onChoice={(value) => setReason(value as Reason)}
        />
      )}
    </VerbDialog>
  );
}

/** A transfer to us: given up, or sent on with another code. */
export function TransferIn({ name, domainId, onClose, isCancel }: Given & { readonly isCancel: boolean }) {
  const w = words();
  const change = useChange();
  const [code, setCode] = useState('');
  const path = { domain_id: domainId };
  const act = (manner: Manner) =>
    isCancel
      ? call('post', '/domains/{domain_id}/transfer/cancel', { path, body: {} }, manner)
      : call('put', '/domains/{domain_id}/transfer/auth_code', { path, body: { auth_code: code.trim() } }, manner);
  const submit = async () => {
    if ((await change.run(act)) && isCancel) onClose();
  };
  return (
    <VerbDialog
      title={`${isCancel ? w.giveUp : w.otherCode}: ${name}`}
      verb={isCancel ? w.giveUp : w.otherCode}
      change={change}
      isDanger={isCancel}
      isReady={isCancel || code.trim() !== ''}
      labels={{ auth_code: w.authCode }}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{isCancel ? w.giveUpText : w.otherCodeText}</p>
      {!isCancel && (
        <TextField
          name="auth_code"
          label={w.authCode}
          value={code}
          onText={setCode}
          autoComplete="off"
          spellcheck={false}
        />
      )}
    </VerbDialog>
  );
}
