import { inBoth } from '../words/speak.ts';

export const words = inBoth(
  { customer: 'Customer', customerHint: 'Type part of the customer’s name.' },
  { customer: 'Pelanggan', customerHint: 'Ketik sebagian nama pelanggan.' },
);
