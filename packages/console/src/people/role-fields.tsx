import '../keys/keys.css';
import { ScopeFields } from '../keys/fields.tsx';
import { SelectField } from '../parts/field.tsx';
import { type Choice, offered, type RoleDraft } from './role-draft.ts';
import { words } from './words.ts';

interface Given {
  readonly draft: RoleDraft;
  /** What was chosen, and nothing of the rest. */
  readonly onDraft: (change: Partial<RoleDraft>) => void;
}

/** What somebody may do: the same for who is invited and for who is here. */
export function RoleFields({ draft, onDraft }: Given) {
  const w = words();
  return (
    <>
      <SelectField
        name="role"
        label={w.role}
        hint={w.choiceText[draft.choice]}
        value={draft.choice}
        choices={offered().map((value) => ({ value, label: w.choice[value] }))}
        onChoice={(choice) => onDraft({ choice: choice as Choice })}
      />
      {draft.choice === 'chosen' && <ScopeFields of={draft} onScopes={onDraft} />}
    </>
  );
}
