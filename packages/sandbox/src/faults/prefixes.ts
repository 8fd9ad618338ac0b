const defaultNamespace = / xmlns="/g;

/** The same document with other prefixes. Its meaning is unchanged; a reader that depends on prefixes is wrong. */
export function otherPrefixes(xml: string): string {
  const renamed = xml
    .replace(/(<\/?)([A-Za-z][\w-]*):/g, '$1n-$2:')
    .replace(/ xmlns:([A-Za-z][\w-]*)=/g, ' xmlns:n-$1=');
  // If only the root has a namespace without a prefix, all names without one are in it.
  if (renamed.match(defaultNamespace)?.length !== 1) return renamed;
  return renamed.replace(/(<\/?)(?=[A-Za-z][\w-]*[\s/>])/g, '$1e:').replace(defaultNamespace, ' xmlns:e="');
}
