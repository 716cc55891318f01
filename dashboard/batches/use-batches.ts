import { useQuery } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import { useFerry } from "../session/session.tsx";

/** The account's shows, newest first. */
export function useBatches() {
  const ferry = useFerry();
  return useQuery({
    queryKey: ["batches"],
    queryFn: ({ signal }) => answerTo(ferry.GET("/dashboard/batches", { signal })),
  });
}
