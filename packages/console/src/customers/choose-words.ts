import { inBoth } from '../words/speak.ts';

export const words = inBoth(
  { customer: 'Customer', customerHint: 'Type a part of the name.' },
  { customer: 'Pelanggan', customerHint: 'Ketik sebagian namanya.' },
);
