import { ApiError } from "../http/api-error.ts";

/** Also returned for another account's delivery, so that nothing leaks. */
export const deliveryNotFound = () =>
  new ApiError({ status: 404, code: "delivery_not_found", message: "Delivery not found" });

export const resentRecently = (waitMs: number) =>
  new ApiError({
    status: 429,
    code: "resent_recently",
    message: "The webhook was sent again less than a minute ago",
    headers: { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
