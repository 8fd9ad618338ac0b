import { type Cluster, openCluster } from './cluster.ts';

const watchMs = 500;

interface Watch {
  cancel(): void;
}

/** Restarts the embedded server after it ended, or joins one that another service has started. */
export function superviseCluster(cluster: Cluster, report: (facts: object, sentence: string) => void): Watch {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy || cluster.isRunning()) return;
    isBusy = true;
    report({}, 'embedded database exited; restarting');
    openCluster({ folder: cluster.folder })
      .catch((error: unknown) => report({ err: error }, 'embedded database not started'))
      .finally(() => {
        isBusy = false;
      });
  }, watchMs).unref();
  return { cancel: () => clearInterval(timer) };
}
