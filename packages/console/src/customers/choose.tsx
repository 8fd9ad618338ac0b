import { useState } from 'preact/hooks';
import { useResource } from '../data/resource.ts';
import { Combobox } from '../parts/combobox.tsx';
import { words } from './choose-words.ts';

export interface ChosenCustomer {
  /** Empty: none is chosen. */
  readonly customerId: string;
  readonly customerName: string;
}

const none: ChosenCustomer = { customerId: '', customerName: '' };

interface Given {
  /** The server's name of the field. */
  readonly name?: string;
  readonly label?: string;
  readonly value: ChosenCustomer;
  readonly onChoice: (chosen: ChosenCustomer) => void;
}

/** A customer of the account, by a part of its name. What is typed over a choice takes it back: the text never names another than the one that counts. */
export function ChooseCustomer({ name = 'customer_id', label, value, onChoice }: Given) {
  const w = words();
  const [typed, setTyped] = useState<string>();
  const found = useResource('/customers', { query: { limit: 10, ...(typed?.trim() ? { name: typed.trim() } : {}) } });
  const choices = (found.data ?? []).map((each) => ({
    value: each.customer_id,
    label: [each.name, each.company].filter(Boolean).join(', '),
  }));
  return (
    <Combobox
      name={name}
      label={label ?? w.customer}
      hint={w.customerHint}
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
