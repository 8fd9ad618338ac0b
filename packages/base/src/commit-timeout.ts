/** Nobody can say whether it is kept: to whoever waits the connection is lost. */
class CommitUnanswered extends Error {
  override name = 'CommitUnanswered';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('the database does not answer a commit');
  }
}

export interface CommitTimeout {
  readonly ms: number;
  onUnanswered(): void;
}

/**
 * No time limit of PostgreSQL's ends the wait for a synchronous standby that is away. The caller is let go; the connection stays with the commit until it is
 * answered, for a closed one would go on waiting over there, and each next try would take one more.
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
