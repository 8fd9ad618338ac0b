import { readFileSync } from 'node:fs';

/** The contract's kinds, and two own ones for products that the contract sells without a text. */
export const agreementTypes = [
  'resellermasteragreement',
  'customermasteragreement',
  'resellerdomainagreement',
  'customerdomainagreement',
  'resellerdigicertagreement',
  'customerdigicertagreement',
  'registraragreement',
  'privacyagreement',
  'transferagreement',
] as const;

interface Agreement {
  readonly type: (typeof agreementTypes)[number];
  readonly title: string;
  readonly content: string;
}

const folder = new URL('./agreements/', import.meta.url);

const agreements = new Map<string, Agreement>(
  agreementTypes.map((type) => {
    const content = readFileSync(new URL(`${type}.md`, folder), 'utf8');
    return [type, { type, title: /^# (.+)$/m.exec(content)?.[1] ?? type, content }];
  }),
);

export function findAgreement(type: string): Agreement | undefined {
  return agreements.get(type.toLowerCase());
}
