import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../parts/field.tsx';
import { who } from '../session/who.ts';
import { areas, type KeyDraft, type Level, sentOf } from './key-draft.ts';
import { words } from './words.ts';

interface Given {
  readonly draft: KeyDraft;
  readonly onDraft: (draft: KeyDraft) => void;
}

/** Label, addresses and scopes: the same for a new key and for one that is changed. */
export function KeyFields({ draft, onDraft }: Given) {
  const w = words();
  return (
    <>
      <TextField
        name="label"
        label={w.label}
        hint={w.labelHint}
        value={draft.label}
        maxLength={100}
        autoComplete="off"
        onText={(label) => onDraft({ ...draft, label })}
      />
      <TextArea
        name="ip_whitelist"
        label={w.whitelist}
        hint={w.whitelistHint}
        rows={3}
        value={draft.whitelist}
        onText={(whitelist) => onDraft({ ...draft, whitelist })}
      />
      <OwnAddress draft={draft} onDraft={onDraft} />
      <SelectField
        name="scopes"
        label={w.scopes}
        value={draft.preset}
        choices={(['full', 'read', 'chosen'] as const).map((value) => ({ value, label: w.preset[value] }))}
        onChoice={(preset) => onDraft({ ...draft, preset: preset as KeyDraft['preset'] })}
      />
      {draft.preset === 'chosen' && <Chosen draft={draft} onDraft={onDraft} />}
    </>
  );
}

/** The address that this session is used from, as the service sees it. */
function OwnAddress({ draft, onDraft }: Given) {
  const w = words();
  const sessions = useResource('/me/sessions', {});
  const mine = sessions.data?.find(({ session_id }) => session_id === who.value?.session_id)?.address;
  const listed = sentOf(draft).ip_whitelist;
  if (mine === undefined || listed.includes(mine)) return null;
  return (
    <div>
      <Button small icon="plus" onClick={() => onDraft({ ...draft, whitelist: [...listed, mine].join('\n') })}>
        {w.addMine(mine)}
      </Button>
    </div>
  );
}

function Chosen({ draft, onDraft }: Given) {
  const w = words();
  const levels: readonly Level[] = ['none', 'read', 'write'];
  return (
    <fieldset class="scopes">
      <legend>{w.scopes}</legend>
      {areas.map((area) => (
        <SelectField
          key={area}
          name={`scope-${area}`}
          label={w.areas[area]}
          value={draft.levels[area]}
          choices={levels.map((value) => ({ value, label: w.level[value] }))}
          onChoice={(level) => onDraft({ ...draft, levels: { ...draft.levels, [area]: level as Level } })}
        />
      ))}
      <Checkbox
        name="auth_code"
        label={w.authCode}
        checked={draft.authCode}
        onChange={(authCode) => onDraft({ ...draft, authCode })}
      />
    </fieldset>
  );
}
