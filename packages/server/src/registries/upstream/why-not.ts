/** Why a query has no result. */
export const whyNot = (reply: { readonly why: string } | { readonly evidence: { readonly text?: string } }): string =>
  'why' in reply ? reply.why : (reply.evidence.text ?? 'refused');
