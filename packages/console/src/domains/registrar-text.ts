import { defineMessages } from '../messages/locale.ts';

/** Separate from the other messages, because other pages name registrars too. */
const messages = defineMessages(
  { sandboxRegistrar: 'Other Registrar (sandbox)' },
  { sandboxRegistrar: 'Registrar lain (sandbox)' },
);

/** The second account of the sandbox registry, which acts as the other registrar. */
const sandboxAccount = 'rival';

/** A registrar as named by the registry. */
export const registrarText = (name: string): string => (name === sandboxAccount ? messages().sandboxRegistrar : name);
