/** Columns of whoever has a name, an address and a telephone. */
export const postalColumns = {
  email: 'text',
  name: 'text',
  company: 'text',
  address_line_1: 'text',
  address_line_2: 'text',
  address_line_3: 'text',
  city: 'text',
  state: 'text',
  country_code: 'text',
  zipcode: 'text',
  tel_cc_no: 'text',
  tel_no: 'text',
  fax_cc_no: 'text?',
  fax_no: 'text?',
} as const;

/** Accounts and customers have further numbers. */
export const partyColumns = {
  ...postalColumns,
  alt_tel_cc_no: 'text?',
  alt_tel_no: 'text?',
  mobile_cc_no: 'text?',
  mobile_no: 'text?',
} as const;
