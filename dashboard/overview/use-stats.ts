import { useQuery } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import { useFerry } from "../session/session.tsx";

/** The account's counts. */
export function useStats() {
  const ferry = useFerry();
  return useQuery({
    queryKey: ["stats"],
    queryFn: ({ signal }) => answerTo(ferry.GET("/dashboard/stats", { signal })),
  });
}
