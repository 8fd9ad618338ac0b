/** Why a query has no result. */
export const refusalReason = (
  reply: { readonly why: string } | { readonly evidence: { readonly text?: string } },
): string => ('why' in reply ? reply.why : (reply.evidence.text ?? 'refused'));
