import { Button } from '../components/button.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../components/field.tsx';
import { useResource } from '../data/resource.ts';
import { currentSession, may } from '../session/current-session.ts';
import { areas, type KeyDraft, type Level, type Scoped, sentOf } from './key-draft.ts';
import { messages } from './messages.ts';

interface Props {
  readonly draft: KeyDraft;
  readonly onDraft: (change: Partial<KeyDraft>) => void;
}

/** Ranges that contain every address. */
const anyAddress = ['0.0.0.0/0', '::/0'];

/** The inputs shared by new and changed keys. */
export function KeyFields({ draft, onDraft }: Props) {
  const t = messages();
  const isAnyAllowed = sentOf(draft).ip_whitelist.some((range) => anyAddress.includes(range));
  return (
    <>
      <TextField
        name="label"
        label={t.label}
        hint={t.labelHint}
        value={draft.label}
        maxLength={100}
        autoComplete="off"
        onText={(label) => onDraft({ label })}
      />
      <TextArea
        name="ip_whitelist"
        label={t.allowedIps}
        hint={isAnyAllowed ? t.anyIpHint : t.allowedIpsHint}
        rows={3}
        value={draft.whitelist}
        onText={(whitelist) => onDraft({ whitelist })}
      />
      <OwnAddress draft={draft} onDraft={onDraft} />
      <SelectField
        name="scopes"
        label={t.scopes}
        value={draft.preset}
        choices={presets(draft.preset).map((value) => ({ value, label: t.preset[value] }))}
        onChoice={(preset) => onDraft({ preset: preset as KeyDraft['preset'] })}
      />
      {draft.preset === 'chosen' && <ScopeFields of={draft} onScopes={onDraft} />}
    </>
  );
}

/** A button that adds the current IP address to the allowed ones. */
function OwnAddress({ draft, onDraft }: Props) {
  const t = messages();
  const sessions = useResource('/me/sessions', {});
  const mine = sessions.data?.find(({ session_id }) => session_id === currentSession.value?.session_id)?.address;
  const listed = sentOf(draft).ip_whitelist;
  if (mine === undefined || listed.includes(mine)) return null;
  return (
    <div>
      <Button small icon="plus" onClick={() => onDraft({ whitelist: [...listed, mine].join('\n') })}>
        {t.addCurrentIp(mine)}
      </Button>
    </div>
  );
}

/** The presets that the user may grant, and the current one. */
const presets = (now: KeyDraft['preset']) =>
  (['full', 'read', 'chosen'] as const).filter((each) => each === 'chosen' || each === now || may(each));

interface Scopes {
  readonly of: Scoped;
  readonly onScopes: (scopes: Scoped) => void;
}

/** Access levels by area, for keys and users. */
export function ScopeFields({ of: { levels, authCode }, onScopes }: Scopes) {
  const t = messages();
  const choices: readonly Level[] = ['none', 'read', 'write'];
  return (
    <fieldset class="scopes">
      <legend>{t.scopesByArea}</legend>
      {areas.map((area) => (
        <SelectField
          key={area}
          name={`scope-${area}`}
          label={t.areas[area]}
          value={levels[area]}
          choices={choices.map((value) => ({ value, label: t.level[value] }))}
          onChoice={(level) => onScopes({ levels: { ...levels, [area]: level as Level }, authCode })}
        />
      ))}
      <Checkbox
        name="auth_code"
        label={t.authCode}
        checked={authCode}
        onChange={(isGiven) => onScopes({ levels, authCode: isGiven })}
      />
    </fieldset>
  );
}
