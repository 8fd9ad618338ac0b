export function isConnectionLoss(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  // A primary that was made a standby is no longer where the database is; the next connection may find the one that is.
  if (code === '0A000' && /during recovery/.test(String(error))) return true;
  // 57P01 to 57P03 and 57P05: the server ends or does not take sessions; 25P03: idle in transaction; 53300: no session left;
  // 42P05: behind a pooler, and the session another's.
  return (
    /^(57P0[1235]|25P03|42P05|53300|08\w{3}|ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(
      code,
    ) ||
    /Connection terminated|is not queryable|after calling end on the pool|timeout exceeded when trying to connect/.test(
      String(error),
    )
  );
}

/** No session more: of the server (53300), or of a pooler, which has no code of its own for it. */
export const isConnectionLimitReached = (error: unknown): boolean =>
  (error as { code?: string }).code === '53300' || /no more connections allowed/.test(String(error));

/** The database may answer, but it keeps nothing now: it is away, only reads, or has no room (class 53, 58030). */
export function isWriteUnavailable(error: unknown): boolean {
  return isConnectionLoss(error) || /^(25006|53\w{3}|58030)$/.test((error as { code?: string }).code ?? '');
}
