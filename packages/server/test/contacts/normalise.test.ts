import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/core/errors.ts';
import { contactFingerprint, latinForm } from '../../src/core/model/contact.ts';
import { listCountries } from '../../src/core/reference/country.ts';
import { latinText } from '../../src/core/reference/latin.ts';
import { type Party, type PartyInput, partyInputOf, readParty } from '../../src/core/reference/party.ts';

const seed = 20_261_115;
const nonBlankText = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim() !== '');

const party: fc.Arbitrary<PartyInput> = fc.record({
  email: fc.emailAddress(),
  name: nonBlankText,
  company: nonBlankText,
  street: fc.tuple(nonBlankText, fc.option(nonBlankText, { nil: undefined })),
  city: nonBlankText,
  state: fc.option(nonBlankText, { nil: undefined }),
  country: fc.constantFrom(...listCountries().map((country) => country.code)),
  postalCode: fc.constantFrom('10110', 'SW1A 1AA', '94105', '1010', 'K1A 0B1', '000000', '100-0001'),
  phone: fc.record({
    callingCode: fc.constantFrom('62', '+62', '1', '44', '0049', '852'),
    number: fc.stringMatching(/^0?[1-9][0-9 -]{5,12}$/),
  }),
  fax: fc.record({ number: fc.option(fc.stringMatching(/^[0-9]{4,15}$/), { nil: undefined }) }),
});

function read(input: PartyInput): Party | undefined {
  try {
    return readParty(input);
  } catch (error) {
    // A refusal is expected; any other error is a defect.
    if (error instanceof Refusal && error.details.errors!.length > 0) return undefined;
    throw error;
  }
}

test('normalises a normalised value to itself, with the same fingerprint', () => {
  let accepted = 0;
  const property = fc.property(party, (input) => {
    const first = read(input);
    if (!first) return;
    accepted += 1;
    const second = readParty(partyInputOf(first));
    expect(second).toEqual(first);
    const whole = (each: Party) => ({ ...each, latin: latinForm(each), eligibility_criteria: [], extra: {} });
    expect(contactFingerprint(whole(second))).toBe(contactFingerprint(whole(first)));
  });
  fc.assert(property, { seed, numRuns: 2_000 });
  expect(accepted).toBeGreaterThan(50);
});

test('accepts only phone numbers that fit RFC 5733', () => {
  const property = fc.property(party, (input) => {
    const made = read(input);
    if (made) expect(`+${made.tel_cc_no}.${made.tel_no}`).toMatch(/^\+[0-9]{1,3}\.[0-9]{1,14}$/);
  });
  fc.assert(property, { seed, numRuns: 2_000 });
});

test('creates only ASCII as Latin form, and keeps ASCII unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const made = latinText(text);
      if (made !== undefined) expect(made).toMatch(/^[\x20-\x7e]*$/);
    }),
    { seed, numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]*$/), (text) => {
      expect(latinText(text)).toBe(text);
    }),
    { seed },
  );
});
