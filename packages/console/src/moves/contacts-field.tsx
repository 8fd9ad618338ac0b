import type { Inputs } from '../api/shapes.ts';
import { SelectField } from '../parts/field.tsx';
import { words } from './words.ts';

export type Contacts = Inputs<'/domains/{domain_id}/move', 'post'>['body']['default_contacts'];

export function ContactsField({
  value,
  onValue,
}: {
  readonly value: Contacts;
  readonly onValue: (value: Contacts) => void;
}) {
  const w = words();
  return (
    <SelectField
      name="default_contacts"
      label={w.contacts}
      value={value}
      choices={Object.entries(w.contactsOf).map(([each, label]) => ({ value: each, label }))}
      onChoice={(each) => onValue(each as Contacts)}
    />
  );
}
