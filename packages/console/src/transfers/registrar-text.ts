import { messages } from './messages.ts';

/** The second account of the sandbox registry, which acts as the other registrar. */
const sandboxAccount = 'rival';

/** A registrar as named by the registry. */
export const registrarText = (name: string): string => (name === sandboxAccount ? messages().sandboxRegistrar : name);
