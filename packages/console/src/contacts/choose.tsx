import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Checkbox, SelectField } from '../components/field.tsx';
import { useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { MakeContact } from './make.tsx';
import { messages } from './messages.ts';

export const roles = ['registrant', 'admin', 'tech', 'billing'] as const;
type Role = (typeof roles)[number];
/** The contact of each role; empty if none is chosen. */
export type ContactAssignment = Readonly<Record<Role, string>>;
export const noContacts: ContactAssignment = { registrant: '', admin: '', tech: '', billing: '' };

/** The contact ids as API fields. */
export const asContactIds = ({ registrant, admin, tech, billing }: ContactAssignment) => ({
  registrant_contact_id: registrant,
  admin_contact_id: admin,
  tech_contact_id: tech,
  billing_contact_id: billing,
});

const oneForAll = (id: string): ContactAssignment => ({ registrant: id, admin: id, tech: id, billing: id });
const isOneForAll = (value: ContactAssignment) => roles.every((role) => value[role] === value.registrant);

interface Props {
  readonly customerId: string;
  readonly value: ContactAssignment;
  /** Called with a function of the current choice, because contacts can arrive after the user chose. */
  readonly onValue: (change: (before: ContactAssignment) => ContactAssignment) => void;
}

/** The contacts of a customer by role. Most domains use one contact for all roles. */
export function ContactRoles({ customerId, value, onValue }: Props) {
  const t = messages();
  const path = { customer_id: customerId };
  const contacts = useResource('/customers/{customer_id}/contacts', { path, query: { limit: 100 } });
  const [isSameWanted, setSame] = useState(isOneForAll(value));
  const isSame = isSameWanted && isOneForAll(value);
  const [isMaking, setMaking] = useState(false);
  const known = contacts.data ?? [];
  const first = known[0]?.contact_id;
  useEffect(() => {
    if (value.registrant === '' && first) onValue((before) => (before.registrant === '' ? oneForAll(first) : before));
  }, [value.registrant, first]);
  const assign = (role: Role, id: string) => onValue((before) => (isSame ? oneForAll(id) : { ...before, [role]: id }));
  const choices = [
    ...(value.registrant === '' ? [{ value: '', label: t.choose }] : []),
    ...known.map(({ contact_id, name, company, email }) => ({
      value: contact_id,
      label: [name, company, email].filter(Boolean).join(', '),
    })),
  ];
  return (
    <>
      {contacts.data && known.length === 0 && <p>{t.none}</p>}
      {roles
        .filter((role) => role === 'registrant' || !isSame)
        .map((role) => (
          <SelectField
            key={role}
            name={`${role}_contact_id`}
            label={t.roles[role]}
            value={value[role]}
            choices={choices}
            onChoice={(id) => assign(role, id)}
          />
        ))}
      <Checkbox
        name="same"
        label={t.same}
        checked={isSame}
        onChange={(same) => {
          setSame(same);
          if (same) onValue(({ registrant }) => oneForAll(registrant));
        }}
      />
      {may('contacts:write') && (
        <div class="row">
          <Button small icon="plus" onClick={() => setMaking(true)}>
            {t.make}
          </Button>
        </div>
      )}
      {isMaking && (
        <MakeContact
          customerId={customerId}
          onClose={() => setMaking(false)}
          onMade={({ contact_id }) => {
            setMaking(false);
            assign('registrant', contact_id);
          }}
        />
      )}
    </>
  );
}
