import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { changed } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { setLanguage } from '../session/session.ts';
import { who } from '../session/who.ts';
import { type Language, languageNames } from '../words/speak.ts';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

/** UTC is no zone of the list, and the one that most begin with. */
const zones = (own: string): string[] => [...new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])];

export function ProfileForm() {
  const w = words();
  const { person } = who.value!;
  const [name, setName] = useState(person.name);
  const [language, chooseLanguage] = useState(person.language);
  const [zone, setZone] = useState(person.time_zone);
  const { busy, trouble, act } = useAct();
  const save = async () => {
    const { body } = await call('put', '/me', { body: { name: name.trim(), language, time_zone: zone } });
    who.value = { ...who.value!, person: body };
    setLanguage(body.language);
    await changed('/people');
    toast(w.saved);
  };
  const labels = { name: w.yourName, language: common().language, time_zone: w.zone };
  return (
    <Form onSubmit={() => void act(save)} trouble={trouble} labels={labels}>
      <TextField name="name" label={labels.name} autoComplete="name" maxLength={100} value={name} onText={setName} />
      <SelectField
        name="language"
        label={labels.language}
        value={language}
        choices={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
        onChoice={(value) => chooseLanguage(value as Language)}
      />
      <SelectField
        name="time_zone"
        label={labels.time_zone}
        value={zone}
        choices={zones(person.time_zone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        onChoice={setZone}
      />
      <div class="actions">
        <Button type="submit" busy={busy}>
          {w.save}
        </Button>
      </div>
    </Form>
  );
}
