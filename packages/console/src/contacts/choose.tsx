import { useEffect, useState } from 'preact/hooks';
import { useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox, SelectField } from '../parts/field.tsx';
import { may } from '../session/who.ts';
import { MakeContact } from './make.tsx';
import { words } from './words.ts';

export const roles = ['registrant', 'admin', 'tech', 'billing'] as const;
type Role = (typeof roles)[number];
/** The contact in each role; empty where none is chosen yet. */
export type Assigned = Readonly<Record<Role, string>>;
export const nobody: Assigned = { registrant: '', admin: '', tech: '', billing: '' };

/** As the calls name them. */
export const inWire = ({ registrant, admin, tech, billing }: Assigned) => ({
  registrant_contact_id: registrant,
  admin_contact_id: admin,
  tech_contact_id: tech,
  billing_contact_id: billing,
});

const oneForAll = (id: string): Assigned => ({ registrant: id, admin: id, tech: id, billing: id });
const isOneForAll = (value: Assigned) => roles.every((role) => value[role] === value.registrant);

interface Given {
  readonly customerId: string;
  readonly value: Assigned;
  /** Is given what is chosen at that moment: contacts arrive late, and a choice may have been made by then. */
  readonly onValue: (change: (before: Assigned) => Assigned) => void;
}

/** Contacts of a customer in their roles; most names have one for all four. */
export function ContactRoles({ customerId, value, onValue }: Given) {
  const w = words();
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
  const give = (role: Role, id: string) => onValue((before) => (isSame ? oneForAll(id) : { ...before, [role]: id }));
  const choices = [
    ...(value.registrant === '' ? [{ value: '', label: w.choose }] : []),
    ...known.map(({ contact_id, name, company, email }) => ({
      value: contact_id,
      label: [name, company, email].filter(Boolean).join(', '),
    })),
  ];
  return (
    <>
      {contacts.data && known.length === 0 && <p>{w.none}</p>}
      {roles
        .filter((role) => role === 'registrant' || !isSame)
        .map((role) => (
          <SelectField
            key={role}
            name={`${role}_contact_id`}
            label={w.roles[role]}
            value={value[role]}
            choices={choices}
            onChoice={(id) => give(role, id)}
          />
        ))}
      <Checkbox
        name="same"
        label={w.same}
        checked={isSame}
        onChange={(same) => {
          setSame(same);
          if (same) onValue(({ registrant }) => oneForAll(registrant));
        }}
      />
      {may('contacts:write') && (
        <div class="row">
          <Button small icon="plus" onClick={() => setMaking(true)}>
            {w.make}
          </Button>
        </div>
      )}
      {isMaking && (
        <MakeContact
          customerId={customerId}
          onClose={() => setMaking(false)}
          onMade={({ contact_id }) => {
            setMaking(false);
            give('registrant', contact_id);
          }}
        />
      )}
    </>
  );
}
