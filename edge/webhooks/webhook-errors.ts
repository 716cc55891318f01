import { ApiError } from "../http/api-error.ts";

/** Also returned for another account's delivery, so that nothing leaks. */
export const deliveryNotFound = () =>
  new ApiError({ status: 404, code: "delivery_not_found", message: "Delivery not found" });
