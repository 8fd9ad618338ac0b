const passedOn = ['NODE_COMPILE_CACHE', 'SANDBOX_CHAOS'] as const;

/** What a process needs of ours to start: where programs are, what Node compiled for the one before, and how its registry is to behave. */
export const bareEnv = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  ...Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
});
