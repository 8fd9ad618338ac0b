import '../keys/keys.css';
import { SelectField } from '../components/field.tsx';
import { ScopeFields } from '../keys/fields.tsx';
import { messages } from './messages.ts';
import { type Choice, offered, type RoleDraft } from './role-draft.ts';

interface Props {
  readonly draft: RoleDraft;
  /** Passes only the changed fields. */
  readonly onDraft: (change: Partial<RoleDraft>) => void;
}

/** The role inputs of invitations and of users. */
export function RoleFields({ draft, onDraft }: Props) {
  const t = messages();
  return (
    <>
      <SelectField
        name="role"
        label={t.role}
        hint={t.choiceText[draft.choice]}
        value={draft.choice}
        choices={offered().map((value) => ({ value, label: t.choice[value] }))}
        onChoice={(choice) => onDraft({ choice: choice as Choice })}
      />
      {draft.choice === 'chosen' && <ScopeFields of={draft} onScopes={onDraft} />}
    </>
  );
}
