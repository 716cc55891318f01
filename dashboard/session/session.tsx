import { QueryClientProvider } from "@tanstack/preact-query";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { createFerry, type Ferry } from "../../client/ferry-client.ts";
import { createQueryClient } from "../server/query-client.ts";

const FerryContext = createContext<Ferry | null>(null);

/** Provides everything inside with a client for this key, and a cache of its responses. */
export function Session({ apiKey, children }: { apiKey: string; children: ComponentChildren }) {
  const [ferry] = useState(() => createFerry({ baseUrl: location.origin, apiKey }));
  const [queryClient] = useState(createQueryClient);
  return (
    <FerryContext.Provider value={ferry}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </FerryContext.Provider>
  );
}

/** The client with the current key. */
export function useFerry(): Ferry {
  const ferry = useContext(FerryContext);
  if (ferry === null) throw new Error("There is no session here");
  return ferry;
}
