import { z } from 'zod';
import { text } from '../../settings-schema.ts';

/** Only read with the dialect `contract`. */
export const contractSchema = z.strictObject({
  /** The contract has no field for the upstream's own renewal of a domain. Some services have one. */
  autoRenew: z
    .strictObject({
      /** Its name in orders and in the details of a domain. */
      field: text,
      on: text.default('true'),
      off: text.default('false'),
      /** The call below a domain that switches it: PUT on, DELETE off. Without it a renewal that is on is only reported. */
      call: text.optional(),
    })
    .optional(),
});

export type ContractSettings = z.output<typeof contractSchema>;
