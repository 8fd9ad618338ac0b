import { defineMessages } from '../messages/locale.ts';

export const messages = defineMessages(
  { customer: 'Customer', customerHint: 'Type part of the customer’s name.' },
  { customer: 'Pelanggan', customerHint: 'Ketik sebagian nama pelanggan.' },
);
