import { useState } from 'preact/hooks';
import { Combobox } from '../components/combobox.tsx';
import { useResource } from '../data/resource.ts';
import { messages } from './choose-messages.ts';

export interface ChosenCustomer {
  /** Empty if no customer is chosen. */
  readonly customerId: string;
  readonly customerName: string;
}

const none: ChosenCustomer = { customerId: '', customerName: '' };

interface Props {
  /** The name of the field in the API. */
  readonly name?: string;
  readonly label?: string;
  readonly value: ChosenCustomer;
  readonly onChoice: (chosen: ChosenCustomer) => void;
}

/** Finds a customer by name. Editing the text clears the choice, so that the text always matches it. */
export function ChooseCustomer({ name = 'customer_id', label, value, onChoice }: Props) {
  const t = messages();
  const [typed, setTyped] = useState<string>();
  const found = useResource('/customers', { query: { limit: 10, ...(typed?.trim() ? { name: typed.trim() } : {}) } });
  const choices = (found.data ?? []).map((each) => ({
    value: each.customer_id,
    label: [each.name, each.company].filter(Boolean).join(', '),
  }));
  return (
    <Combobox
      name={name}
      label={label ?? t.customer}
      hint={typed?.trim() ? t.pick : t.customerHint}
      value={typed ?? value.customerName}
      choices={choices}
      onText={(text) => {
        setTyped(text);
        if (value.customerId !== '') onChoice(none);
      }}
      onChoice={(choice) => {
        setTyped(undefined);
        onChoice({ customerId: choice.value, customerName: choice.label });
      }}
    />
  );
}
