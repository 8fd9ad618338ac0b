/** Wall time of the browser: for what is short and local, such as a countdown. Dates of names come from the service. */
export const now = (): Date => new Date();
