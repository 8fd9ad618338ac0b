import type { Config } from '../../config.ts';

/** The display name of a registrar. In sandbox mode the second account of the sandbox registry plays the other registrar. */
export const registrarName = ({ mode }: Pick<Config, 'mode'>, id: string): string =>
  mode === 'sandbox' && id === 'rival' ? 'Other Registrar (sandbox)' : id;
