import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { type Locale, localeNames } from '../messages/locale.ts';
import { currentSession } from '../session/current-session.ts';
import { setLocale } from '../session/session.ts';
import { messages } from './messages.ts';

/** UTC is the default, but not in the browser's list. */
const zones = (own: string): string[] => [...new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])];

export function ProfileForm() {
  const t = messages();
  const { person } = currentSession.value!;
  const [name, setName] = useState(person.name);
  const [language, chooseLanguage] = useState(person.language);
  const [zone, setZone] = useState(person.time_zone);
  const { busy, error, perform } = useSubmit();
  const save = async () => {
    const { body } = await call('put', '/me', { body: { name: name.trim(), language, time_zone: zone } });
    currentSession.value = { ...currentSession.value!, person: body };
    setLocale(body.language);
    await invalidate('/users');
    toast(t.saved);
  };
  const labels = { name: t.yourName, language: common().language, time_zone: t.zone };
  return (
    <Form onSubmit={() => void perform(save)} error={error} labels={labels}>
      <TextField name="name" label={labels.name} autoComplete="name" maxLength={100} value={name} onText={setName} />
      <SelectField
        name="language"
        label={labels.language}
        value={language}
        choices={Object.entries(localeNames).map(([value, label]) => ({ value, label }))}
        onChoice={(value) => chooseLanguage(value as Locale)}
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
          {t.save}
        </Button>
      </div>
    </Form>
  );
}
