import type { Inputs } from '../api/shapes.ts';
import { SelectField } from '../components/field.tsx';
import { messages } from './messages.ts';

export type Contacts = Inputs<'/domains/{domain_id}/move', 'post'>['body']['default_contacts'];

export function ContactsField({
  value,
  onValue,
}: {
  readonly value: Contacts;
  readonly onValue: (value: Contacts) => void;
}) {
  const t = messages();
  return (
    <SelectField
      name="default_contacts"
      label={t.contacts}
      value={value}
      choices={Object.entries(t.contactsOf).map(([each, label]) => ({ value: each, label }))}
      onChoice={(each) => onValue(each as Contacts)}
    />
  );
}
