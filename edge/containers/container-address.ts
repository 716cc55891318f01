const scheme = "container://";

/** The address at which the edge reaches the node in the container with this name. */
export function containerAddress(name: string): string {
  return scheme + name;
}

/** The container's name in such an address; null for a node elsewhere. */
export function containerName(address: string): string | null {
  return address.startsWith(scheme) ? address.slice(scheme.length) : null;
}
