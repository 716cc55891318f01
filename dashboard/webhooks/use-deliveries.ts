import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import { useFerry } from "../session/session.tsx";

export const pageSize = 50;

/** Whose deliveries: one job's, one batch's, or all. */
export interface DeliveryFilter {
  readonly job_id?: string;
  readonly batch_id?: string;
}

/** A page of the webhook log, newest first. Pages count from 1. */
export function useDeliveries(filter: DeliveryFilter, page: number) {
  const ferry = useFerry();
  const query = { ...filter, limit: pageSize, offset: (page - 1) * pageSize };
  return useQuery({
    queryKey: ["deliveries", query],
    queryFn: ({ signal }) => answerTo(ferry.GET("/webhooks/deliveries", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}
