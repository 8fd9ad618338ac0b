import { z } from 'zod';
import type { SimpleForwarding } from '../../../core/forwarding/simple.ts';

const zeroOrOne = z.enum(['0', '1']);

export const simpleView = z
  .object({
    url_dest: z.string().describe('Where requests are sent. Empty: nothing is forwarded.'),
    is_url_masking: zeroOrOne,
    is_subdomain_fwd: zeroOrOne,
    is_path_fwd: zeroOrOne,
    meta_tags: z.string().describe('The accepted meta tags, rewritten.'),
    no_frames_content: z.string().describe('The accepted text, rewritten.'),
  })
  .meta({ id: 'Forwarding', description: 'Web forwarding.' });

const bit = (is: boolean) => (is ? '1' : '0');

export function showSimple(forwarding: SimpleForwarding): z.output<typeof simpleView> {
  return {
    url_dest: forwarding.target,
    is_url_masking: bit(forwarding.isMasked),
    is_subdomain_fwd: bit(forwarding.withSubdomains),
    is_path_fwd: bit(forwarding.withPath),
    meta_tags: forwarding.metaTags,
    no_frames_content: forwarding.pageText,
  };
}

export const noForwarding: z.output<typeof simpleView> = {
  url_dest: '',
  is_url_masking: '0',
  is_subdomain_fwd: '0',
  is_path_fwd: '0',
  meta_tags: '',
  no_frames_content: '',
};
