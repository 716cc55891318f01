const scheme = "container://";

/** Where the edge reaches the node in the container of this name. */
export function containerAddress(name: string): string {
  return scheme + name;
}

/** The container's name in such an address; null for a node that is elsewhere. */
export function containerName(address: string): string | null {
  return address.startsWith(scheme) ? address.slice(scheme.length) : null;
}
