import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../parts/field.tsx';
import { may, who } from '../session/who.ts';
import { areas, type KeyDraft, type Level, type Scoped, sentOf } from './key-draft.ts';
import { words } from './words.ts';

interface Given {
  readonly draft: KeyDraft;
  readonly onDraft: (change: Partial<KeyDraft>) => void;
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
        onText={(label) => onDraft({ label })}
      />
      <TextArea
        name="ip_whitelist"
        label={w.whitelist}
        hint={w.whitelistHint}
        rows={3}
        value={draft.whitelist}
        onText={(whitelist) => onDraft({ whitelist })}
      />
      <OwnAddress draft={draft} onDraft={onDraft} />
      <SelectField
        name="scopes"
        label={w.scopes}
        value={draft.preset}
        choices={presets(draft.preset).map((value) => ({ value, label: w.preset[value] }))}
        onChoice={(preset) => onDraft({ preset: preset as KeyDraft['preset'] })}
      />
      {draft.preset === 'chosen' && <ScopeFields of={draft} onScopes={onDraft} />}
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
      <Button small icon="plus" onClick={() => onDraft({ whitelist: [...listed, mine].join('\n') })}>
        {w.addMine(mine)}
      </Button>
    </div>
  );
}

/** What the person has itself, and what the key has already. */
const presets = (now: KeyDraft['preset']) =>
  (['full', 'read', 'chosen'] as const).filter((each) => each === 'chosen' || each === now || may(each));

interface Scopes {
  readonly of: Scoped;
  readonly onScopes: (scopes: Scoped) => void;
}

/** What may be done in each area; for keys and for people. */
export function ScopeFields({ of: { levels, authCode }, onScopes }: Scopes) {
  const w = words();
  const choices: readonly Level[] = ['none', 'read', 'write'];
  return (
    <fieldset class="scopes">
      <legend>{w.scopes}</legend>
      {areas.map((area) => (
        <SelectField
          key={area}
          name={`scope-${area}`}
          label={w.areas[area]}
          value={levels[area]}
          choices={choices.map((value) => ({ value, label: w.level[value] }))}
          onChoice={(level) => onScopes({ levels: { ...levels, [area]: level as Level }, authCode })}
        />
      ))}
      <Checkbox
        name="auth_code"
        label={w.authCode}
        checked={authCode}
        onChange={(isGiven) => onScopes({ levels, authCode: isGiven })}
      />
    </fieldset>
  );
}
