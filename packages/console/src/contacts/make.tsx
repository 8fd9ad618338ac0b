import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { changed, useResource } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';
import { words } from './words.ts';

interface Given {
  readonly customerId: string;
  readonly onMade: (contact: Shape<'Contact'>) => void;
  readonly onClose: () => void;
}

const empty = {
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

type Typed = typeof empty;

function Fields({ value, onValue }: { readonly value: Typed; readonly onValue: (change: Partial<Typed>) => void }) {
  const w = words();
  const countries = useResource('/countries', {});
  const text = (name: keyof Typed, label: string, more: { autoComplete?: string; isOptional?: boolean } = {}) => (
    <TextField name={name} label={label} value={value[name]} onText={(typed) => onValue({ [name]: typed })} {...more} />
  );
  const known = countries.data ?? [];
  const choices = known.map(({ country_code, country_name }) => ({ value: country_code, label: country_name }));
  const chooseCountry = (country_code: string) => {
    const code = known.find((each) => each.country_code === country_code)?.tel_cc_no;
    onValue({ country_code, ...(code ? { tel_cc_no: code } : {}) });
  };
  return (
    <>
      {text('name', w.name, { autoComplete: 'name' })}
      {text('company', w.company, { autoComplete: 'organization' })}
      {text('email', w.email, { autoComplete: 'email' })}
      {text('address_line_1', w.address, { autoComplete: 'street-address' })}
      {text('city', w.city, { autoComplete: 'address-level2' })}
      {text('state', w.state, { isOptional: true, autoComplete: 'address-level1' })}
      {text('zipcode', w.zipcode, { autoComplete: 'postal-code' })}
      <SelectField
        name="country_code"
        label={w.country}
        value={value.country_code}
        choices={[{ value: '', label: '–' }, ...choices]}
        onChoice={chooseCountry}
      />
      {text('tel_cc_no', w.cc, { autoComplete: 'tel-country-code' })}
      {text('tel_no', w.phone, { autoComplete: 'tel-national' })}
    </>
  );
}

export function MakeContact({ customerId, onMade, onClose }: Given) {
  const w = words();
  const draft = useDraft(`customers/${customerId}/contacts/new`, empty);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const submit = async () => {
    setBusy(true);
    try {
      const { state, ...rest } = draft.value;
      const made = await call(
        'post',
        '/customers/{customer_id}/contacts',
        { path: { customer_id: customerId }, body: { ...rest, ...(state ? { state } : {}) } },
        { idempotencyKey: draft.idempotencyKey },
      );
      draft.clear();
      await changed(`/customers/${customerId}/contacts`);
      toast(w.made(made.body.name));
      onMade(made.body);
    } catch (error) {
      const said = asTrouble(error);
      setTrouble(said);
      if (said.isRefusal) draft.renew();
    } finally {
      setBusy(false);
    }
  };
  const labels = { ...w, address_line_1: w.address, country_code: w.country, tel_cc_no: w.cc, tel_no: w.phone };
  return (
    <Dialog title={w.makeTitle} onClose={onClose}>
      <Form onSubmit={() => void submit()} trouble={trouble} labels={labels as unknown as Record<string, string>}>
        <Fields value={draft.value} onValue={draft.put} />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {w.save}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
