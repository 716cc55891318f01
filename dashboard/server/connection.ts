import { signal } from "@preact/signals";

export interface Connection {
  /** Whether the service answered the last request, successfully or not. */
  readonly isReachable: boolean;
  /** When the service last answered, in milliseconds since the Unix epoch. */
  readonly heardAt: number | null;
}

export const connection = signal<Connection>({ isReachable: true, heardAt: null });

/** Whether the browser has a network connection. */
export const isOnline = signal(navigator.onLine);
addEventListener("online", () => (isOnline.value = true));
addEventListener("offline", () => (isOnline.value = false));

export function heardFrom(now: number): void {
  connection.value = { isReachable: true, heardAt: now };
}

export function notHeardFrom(): void {
  connection.value = { ...connection.value, isReachable: false };
}
