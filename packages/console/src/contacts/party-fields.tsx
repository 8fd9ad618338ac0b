import { SelectField, TextField } from '../components/field.tsx';
import { useResource } from '../data/resource.ts';
import { messages } from './messages.ts';

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

interface Props {
  readonly value: Party;
  readonly onValue: (change: Partial<Party>) => void;
  /** A sub-reseller is a company; a customer or contact may be a person. */
  readonly isCompany?: boolean;
}

/** Name and address of a customer, sub-reseller or contact. Choosing a country sets the phone country code. */
export function PartyFields({ value, onValue, isCompany }: Props) {
  const t = messages();
  const labels = t.fields;
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
        hint={name === 'tel_cc_no' ? t.callingCodeHint : undefined}
        isOptional={name === 'state' || (name === 'company' && !isCompany)}
        value={value[name]}
        onText={(text) => onValue({ [name]: text })}
      />
    ),
  );
}
