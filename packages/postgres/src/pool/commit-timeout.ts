/** Whether the commit was kept is unknown. For the caller this is a lost connection. */
class CommitUnanswered extends Error {
  override name = 'CommitUnanswered';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('the database did not answer the commit in time');
  }
}

export interface CommitTimeout {
  readonly ms: number;
  onUnanswered(): void;
}

/**
 * No time limit of PostgreSQL ends a commit that waits for an unavailable synchronous standby. The caller gets an error after the limit.
 * The connection stays open until the commit is answered: closing it would leave the server session waiting, and each retry would add
 * one more.
 */
export function withCommitTimeout<T>(limits: CommitTimeout, run: (committing: () => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const committing = () => {
      timer = setTimeout(() => {
        reject(new CommitUnanswered());
        limits.onUnanswered();
      }, limits.ms);
    };
    run(committing)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
