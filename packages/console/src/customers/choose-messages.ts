import { defineMessages } from '../messages/locale.ts';

export const messages = defineMessages(
  { customer: 'Customer', customerHint: 'Type part of the customer’s name.', pick: 'Choose a customer from the list.' },
  { customer: 'Pelanggan', customerHint: 'Ketik sebagian nama pelanggan.', pick: 'Pilih pelanggan dari daftar.' },
);
