import { useResource } from '../data/resource.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import { words } from './words.ts';

export const emptyParty = {
  name: '',
  company: '',
  email: '',
  address_line_1: '',
  city: '',
  state: '',
  zipcode: '',
  country_code: '',
  tel_cc_no: '',
  tel_no: '',
};

export type Party = typeof emptyParty;

const known: Readonly<Record<Exclude<keyof Party, 'country_code'>, string>> = {
  name: 'name',
  company: 'organization',
  email: 'email',
  address_line_1: 'address-line1',
  city: 'address-level2',
  state: 'address-level1',
  zipcode: 'postal-code',
  tel_cc_no: 'tel-country-code',
  tel_no: 'tel-national',
};

interface Given {
  readonly value: Party;
  readonly onValue: (change: Partial<Party>) => void;
  /** Where it cannot be left out: what to write where there is none. */
  readonly stateHint?: string;
}

/** Who somebody is and where: a customer, a sub-reseller or a contact. The country brings its calling code along. */
export function PartyFields({ value, onValue, stateHint }: Given) {
  const labels = words().fields;
  const countries = useResource('/countries', {}).data ?? [];
  const choices = countries.map(({ country_code, country_name }) => ({ value: country_code, label: country_name }));
  const chooseCountry = (country_code: string) => {
    const code = countries.find((each) => each.country_code === country_code)?.tel_cc_no;
    onValue({ country_code, ...(code ? { tel_cc_no: code } : {}) });
  };
  return (Object.keys(emptyParty) as (keyof Party)[]).map((name) =>
    name === 'country_code' ? (
      <SelectField
        key={name}
        name={name}
        label={labels[name]}
        value={value[name]}
        choices={[{ value: '', label: '–' }, ...choices]}
        onChoice={chooseCountry}
      />
    ) : (
      <TextField
        key={name}
        name={name}
        type={name === 'email' ? 'email' : 'text'}
        autoComplete={known[name]}
        label={labels[name]}
        hint={name === 'state' ? stateHint : undefined}
        isOptional={name === 'state' && !stateHint}
        value={value[name]}
        onText={(text) => onValue({ [name]: text })}
      />
    ),
  );
}
